package io.eley.bb.api.origin;

import io.eley.bb.api.error.EleyException;
import java.net.URI;

/** Opens origins of one URI scheme. Found through {@link java.util.ServiceLoader}. */
public interface OriginProvider {
  /** For example {@code file}. */
  String scheme();

  /** Whether it opens this address; one of several schemes says so here. */
  default boolean serves(URI address) {
    return scheme().equals(address.getScheme());
  }

  /**
   * Opens the origin.
   *
   * @param address the URI the operator wrote
   * @param client who will read: a short name that an origin may use to account for traffic, for
   *     example {@code node}
   * @throws EleyException {@code NOT_FOUND} or {@code ACCESS_DENIED} when it cannot be used, in one
   *     line
   */
  Origin open(URI address, String client) throws EleyException;
}
