package io.eley.bb.api.wire;

import io.eley.bb.api.NetworkProtection;

/**
 * What protects the frames of one connection, the weakest first. Header and body of every frame are
 * authenticated in each; they differ in what happens to payloads and in what others can read.
 */
public enum Protection {
  /** Payloads are bare, so that they can leave by sendfile. Within one host only. */
  HOST,
  /** Payloads are authenticated too, and everything is legible. */
  AUTHENTICATED,
  /** Everything is authenticated, and nothing is legible. */
  ENCRYPTED;

  /** What a server with this setting offers on a connection. */
  static Protection offered(NetworkProtection setting, Endpoints ends) {
    return switch (setting) {
      case AUTO -> ends.sameHost() ? HOST : ENCRYPTED;
      case AUTHENTICATE -> AUTHENTICATED;
      case ENCRYPT -> ENCRYPTED;
    };
  }

  /**
   * The least that a client with this setting takes. One that leaves it to the server still takes
   * no bare payload from another host.
   */
  static Protection least(NetworkProtection setting, Endpoints ends) {
    return switch (setting) {
      case AUTO -> ends.sameHost() ? HOST : AUTHENTICATED;
      case AUTHENTICATE -> AUTHENTICATED;
      case ENCRYPT -> ENCRYPTED;
    };
  }

  /** Whether payloads travel as they are, outside of records. */
  public boolean leavesPayloadsBare() {
    return this == HOST;
  }

  /** Whether records hide what they carry. */
  public boolean encrypts() {
    return this == ENCRYPTED;
  }
}
