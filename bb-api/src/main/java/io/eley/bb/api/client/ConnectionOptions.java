package io.eley.bb.api.client;

import java.time.Duration;

/**
 * Options of one connection.
 *
 * @param name of its reader thread
 * @param connectTimeout for connecting and for each step of the handshake
 */
public record ConnectionOptions(String name, Duration connectTimeout) {
  public ConnectionOptions {
    if (connectTimeout.isNegative() || connectTimeout.isZero()) {
      throw new IllegalArgumentException("the connect time-out must be positive");
    }
  }
}
