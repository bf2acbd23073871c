package io.eley.bb.api.origin;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.net.URI;
import java.util.Set;

/** Serves what another one is there for, too, and stands before it; opens nothing. */
public final class ProviderOfSeveral implements OriginProvider {
  @Override
  public String scheme() {
    return "several";
  }

  @Override
  public boolean serves(URI address) {
    String scheme = address.getScheme();
    return scheme != null && Set.of("several", "other", "refusing").contains(scheme);
  }

  @Override
  public Origin open(URI address, String client) throws EleyException {
    throw new EleyException(ErrorCode.UNAVAILABLE, "one of several: " + address);
  }
}
