package io.eley.coordinator.board;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names in the directory of a site's board. It belongs to root (or to whoever runs the board)
 * and is closed to others, but for the tokens' directory, in which everybody can make a file and
 * only its owner remove it: whoever owns a file there is who it says he is.
 *
 * <p>Names only: nothing is read or made here.
 *
 * @param directory absolute and normalised
 */
public record BoardFiles(Path directory) {
  private static final Pattern KEY = Pattern.compile("(\\d{1,10})-[0-9a-f]{32}");
  private static final long MOST_USERS = 0xffff_ffffL;

  public BoardFiles {
    directory = directory.toAbsolutePath().normalize();
  }

  /** The board's {@code host:port}; this file exists while it listens. */
  Path address() {
    return directory.resolve("address");
  }

  /** Locked by the board for its life. */
  Path lock() {
    return directory.resolve("lock");
  }

  /** One file a deployment, with the secret of its key. */
  Path tokens() {
    return directory.resolve("tokens");
  }

  /** The token of a key. */
  Path token(String key) {
    return tokens().resolve(key);
  }

  /**
   * The name of a user's key.
   *
   * @param user as the kernel has it, without a sign: directory services count beyond 2^31
   */
  static String key(int user, String random) {
    return Integer.toUnsignedString(user) + "-" + random;
  }

  /**
   * The number of the user whose key it is, by its name.
   *
   * @throws IllegalArgumentException when no key is called so
   */
  static int userOf(String key) {
    Matcher m = KEY.matcher(key);
    if (!m.matches() || Long.parseLong(m.group(1)) > MOST_USERS) {
      throw new IllegalArgumentException("no key has this name");
    }
    return Integer.parseUnsignedInt(m.group(1));
  }
}
