package io.eley.emulated.pfs;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.MountedOrigin;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.OriginProvider;
import java.net.URI;

/** Opens {@code emulated://} addresses; see {@link PfsAddress} for their form. */
public final class EmulatedPfsOriginProvider implements OriginProvider {
  /** For {@link java.util.ServiceLoader}. */
  public EmulatedPfsOriginProvider() {}

  @Override
  public String scheme() {
    return PfsAddress.SCHEME;
  }

  /** The label {@code client} is what the trace shows. */
  @Override
  public Origin open(URI address, String client) throws EleyException {
    var parsed = PfsAddress.parse(address);
    var directory = MountedOrigin.open(parsed.directory());
    return new EmulatedPfsOrigin(address.toString(), directory, parsed.connect(client));
  }
}
