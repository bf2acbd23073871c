package io.eley.bb.api.edge;

import java.nio.charset.StandardCharsets;

/**
 * What somebody may choose as a name: plain text ({@link PlainText}) of bounded length that is not
 * blank. Names become keys of maps, columns of the ledger, and words in logs and on terminals; they
 * are checked where they come in, so that nobody further inside has to.
 */
public enum NameRule {
  /** An application: Spark's, or one that announces its phases. */
  APPLICATION("an application's name", 256),
  /** A job, in the name that an application gets from it. */
  JOB("a job's name", 100),
  /** A user of the system. */
  USER("a user's name", 64),
  /** A node. */
  NODE("a node's name", 128),
  /** A key of a server that has several. */
  KEY("a key's name", 64),
  /** A host, as a node or a coordinator tells it. */
  HOST("a host's name", 255);

  private final String what;
  private final int bytesMax;

  NameRule(String what, int bytesMax) {
    this.what = what;
    this.bytesMax = bytesMax;
  }

  /** How many bytes of UTF-8 it may have. */
  public int bytesMax() {
    return bytesMax;
  }

  /**
   * The name, when it may be one.
   *
   * @throws IllegalArgumentException in one plain line that says what is wrong with it
   */
  public String require(String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException(what + " is missing or blank");
    }
    // Counted in characters first: a name of megabytes is not encoded to be refused.
    if (name.length() > bytesMax || bytes(name) > bytesMax) {
      throw new IllegalArgumentException(what + " is longer than " + bytesMax + " bytes");
    }
    if (!PlainText.isPlain(name)) {
      throw new IllegalArgumentException(
          what + " has control characters or marks of direction: " + PlainText.escape(name));
    }
    return name;
  }

  /**
   * A name made of a text that nobody here has chosen and that may not be refused, such as a job's
   * name: escaped, cut, and never blank.
   */
  public String made(String text) {
    String plain = PlainText.escape(text.length() > bytesMax ? text.substring(0, bytesMax) : text);
    var name = new StringBuilder();
    int left = bytesMax;
    for (int c : plain.codePoints().toArray()) {
      left -= bytes(Character.toString(c));
      if (left < 0) {
        break;
      }
      name.appendCodePoint(c);
    }
    return name.toString().isBlank() ? "unnamed" : name.toString();
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
