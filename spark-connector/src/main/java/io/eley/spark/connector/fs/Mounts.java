package io.eley.spark.connector.fs;

import io.eley.bb.api.origin.Origins;

/** Origin addresses that are directories. */
public final class Mounts {
  private Mounts() {}

  /** The directory of an origin address, or empty when it is not a plain mount. */
  public static String of(String originAddress) {
    return originAddress.startsWith("/") || originAddress.startsWith("file:")
        ? Origins.path(originAddress)
        : "";
  }
}
