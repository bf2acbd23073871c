package io.eley.bb.api.wire;

import io.eley.bb.api.NetworkProtection;

/**
 * What a process goes into a handshake with.
 *
 * @param secret the deployment's
 * @param self who it says it is
 * @param protection what its operator asks for
 */
public record Credentials(Secret secret, Identity self, NetworkProtection protection) {
  /** With the protection that is usual. */
  public Credentials(Secret secret, Identity self) {
    this(secret, self, NetworkProtection.AUTO);
  }
}
