package io.eley.origin.hadoop;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.OriginProvider;
import java.net.URI;
import java.util.Set;

/**
 * Opens {@code hdfs://}, {@code s3a://} and whatever else Hadoop's clients on the class path serve.
 * Says so without loading a class of Hadoop's, which may not be there.
 */
public final class HadoopOriginProvider implements OriginProvider {
  /** Those of others on the same class path, and the one that would lead back to us. */
  private static final Set<String> NOT_OURS = Set.of("file", "emulated", "bb");

  /** For {@link java.util.ServiceLoader}. */
  public HadoopOriginProvider() {}

  @Override
  public String scheme() {
    return "hdfs";
  }

  @Override
  public boolean serves(URI address) {
    String scheme = address.getScheme();
    return scheme != null && !NOT_OURS.contains(scheme);
  }

  /** Blocks until the store has answered once. */
  @Override
  public Origin open(URI address, String client) throws EleyException {
    try {
      return HadoopOrigin.open(address);
    } catch (LinkageError e) {
      throw new EleyException(
          ErrorCode.NOT_FOUND,
          "no clients for "
              + address.getScheme()
              + ":// are there: the class path lacks "
              + String.valueOf(e.getMessage()).replace('/', '.')
              + "; name Hadoop's jars by --origin-classpath",
          e);
    }
  }
}
