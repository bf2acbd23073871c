package io.eley.bb.api;

import java.util.Locale;

/** What an operator asks for: the value of {@code eley.network.protection}. */
public enum NetworkProtection {
  /**
   * Between processes of one host frames are authenticated and payloads leave by sendfile; to
   * another host everything is encrypted.
   */
  AUTO,
  /** Everything is authenticated, payloads too; nothing is encrypted. */
  AUTHENTICATE,
  /** Everything is encrypted and authenticated, on one host too. */
  ENCRYPT;

  /** The word that people read and type. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The protection of that word.
   *
   * @throws IllegalArgumentException for any other word
   */
  public static NetworkProtection of(String label) {
    for (var protection : values()) {
      if (protection.label().equals(label)) {
        return protection;
      }
    }
    throw new IllegalArgumentException("no such protection: " + label);
  }
}
