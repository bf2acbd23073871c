package io.eley.bb.api.wire;

import io.eley.bb.api.edge.OwnPaths;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/**
 * The secret of one deployment: 32 random bytes in a file that only its owner can read. It is never
 * logged, and its text form does not contain it.
 */
public final class Secret {
  private static final int BYTES = 32;

  private final byte[] key;

  private Secret(byte[] key) {
    this.key = key;
  }

  /** A new random secret, for tests and for {@link #create}. */
  public static Secret random() {
    byte[] key = new byte[BYTES];
    new SecureRandom().nextBytes(key);
    return new Secret(key);
  }

  /** The secret in hexadecimal, 64 digits, as the file holds it. */
  public static Secret ofHex(String hex) {
    byte[] key = HexFormat.of().parseHex(hex.strip());
    if (key.length != BYTES) {
      throw new IllegalArgumentException("a secret has " + BYTES * 2 + " hexadecimal digits");
    }
    return new Secret(key);
  }

  /**
   * Makes a new secret file with mode 0600 from its first moment on.
   *
   * @throws java.nio.file.FileAlreadyExistsException when there is one
   */
  public static Secret create(Path file) throws IOException {
    var secret = random();
    var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    try (var channel =
            Files.newByteChannel(
                file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), mode);
        var out = Channels.newOutputStream(channel)) {
      out.write(
          HexFormat.of()
              .formatHex(secret.key)
              .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    }
    return secret;
  }

  /**
   * Reads a secret file.
   *
   * @throws IOException when it cannot be read, is not a secret, or anybody but this user can read
   *     or exchange it
   */
  public static Secret load(Path file) throws IOException {
    String text = OwnPaths.readPrivate(file);
    try {
      return ofHex(text);
    } catch (IllegalArgumentException e) {
      // Without the cause: its text would quote the secret's digits.
      throw new IOException("the secret file " + file + " does not hold 64 hexadecimal digits");
    }
  }

  byte[] key() {
    return key;
  }

  @Override
  public String toString() {
    return "Secret(hidden)";
  }
}
