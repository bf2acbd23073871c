package io.eley.emulated.pfs;

import io.eley.bb.api.error.EleyException;
import io.eley.ior.IorStorage;
import io.eley.ior.IorStorageProvider;
import io.eley.ior.IorTarget;
import java.net.URI;

/**
 * Lets the IOR load write and read behind {@code emulated://} addresses; see {@link PfsAddress}.
 */
public final class EmulatedPfsStorageProvider implements IorStorageProvider {
  /** For {@link java.util.ServiceLoader}. */
  public EmulatedPfsStorageProvider() {}

  @Override
  public String scheme() {
    return PfsAddress.SCHEME;
  }

  @Override
  public IorStorage parse(URI address) throws EleyException {
    return new Storage(PfsAddress.parse(address));
  }

  private record Storage(PfsAddress pfs) implements IorStorage {
    @Override
    public String path() {
      return pfs.directory().toString();
    }

    @Override
    public String address() {
      return pfs.toString();
    }

    @Override
    public IorTarget connect(IorTarget files) throws EleyException {
      return new PacedTarget(pfs.connect(PacedTarget.CLIENT), files);
    }
  }
}
