package io.eley.spark.connector.fs;

import java.net.URI;

/** Origin addresses that are directories. */
public final class Mounts {
  private Mounts() {}

  /** The directory of an origin address, or empty when it is not a plain mount. */
  public static String of(String originAddress) {
    if (originAddress.startsWith("/")) {
      return originAddress;
    }
    return originAddress.startsWith("file:") ? URI.create(originAddress).getPath() : "";
  }
}
