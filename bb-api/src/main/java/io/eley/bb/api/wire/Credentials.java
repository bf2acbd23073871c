package io.eley.bb.api.wire;

import io.eley.bb.api.NetworkProtection;

/**
 * What a process goes into a handshake with.
 *
 * @param secret the deployment's, or the one of {@code key}
 * @param self who it says it is
 * @param protection what its operator asks for
 * @param key of a client: by which name the server knows the secret; empty for the server's only
 *     one
 */
public record Credentials(Secret secret, Identity self, NetworkProtection protection, String key) {
  /** With a secret that the server has no others beside. */
  public Credentials(Secret secret, Identity self, NetworkProtection protection) {
    this(secret, self, protection, "");
  }

  /** With the protection that is usual. */
  public Credentials(Secret secret, Identity self) {
    this(secret, self, NetworkProtection.AUTO);
  }

  /** The same with another secret. */
  public Credentials with(Secret other) {
    return new Credentials(other, self, protection, key);
  }
}
