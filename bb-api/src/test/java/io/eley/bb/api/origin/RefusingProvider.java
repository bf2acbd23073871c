package io.eley.bb.api.origin;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.net.URI;

/** An adapter that only says what it was told. Found as a real one is. */
public final class RefusingProvider implements OriginProvider {
  @Override
  public String scheme() {
    return "refusing";
  }

  @Override
  public Origin open(URI address, String client) throws EleyException {
    throw new EleyException(ErrorCode.ACCESS_DENIED, address + " for " + client);
  }
}
