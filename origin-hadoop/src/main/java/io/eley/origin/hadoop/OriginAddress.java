package io.eley.origin.hadoop;

import io.eley.bb.api.OriginPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.net.URI;
import java.net.URISyntaxException;

/** The one form of an origin's address by which deployments know that they share one. */
final class OriginAddress {
  private OriginAddress() {}

  /**
   * Scheme, authority and normalised path.
   *
   * @throws EleyException {@code NOT_FOUND} when there is more in it, or less
   */
  static URI normal(URI address) throws EleyException {
    if (address.getRawAuthority() == null) {
      throw new EleyException(
          ErrorCode.NOT_FOUND,
          "not an origin address: '"
              + address
              + "' names no host or bucket, as hdfs://host/path does");
    }
    if (address.getRawQuery() != null || address.getRawFragment() != null) {
      throw new EleyException(
          ErrorCode.NOT_FOUND, "not an origin address, with a ? or # in it: '" + address + "'");
    }
    try {
      String path = OriginPaths.normalise("/" + address.getPath());
      return new URI(
          address.getScheme(),
          address.getAuthority(),
          path.equals(OriginPaths.ROOT) ? "/" : path,
          null,
          null);
    } catch (IllegalArgumentException | URISyntaxException e) {
      throw new EleyException(ErrorCode.NOT_FOUND, "not an origin address: '" + address + "'", e);
    }
  }
}
