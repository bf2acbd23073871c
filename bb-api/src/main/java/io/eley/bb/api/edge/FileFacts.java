package io.eley.bb.api.edge;

import java.util.Locale;

/**
 * What a file system says about one entry of a directory; a link is not followed.
 *
 * @param kind what it is
 * @param owner number of the user who owns it
 * @param mode the permission bits of stat(2), the sticky bit included
 */
public record FileFacts(Kind kind, int owner, int mode) {
  private static final int STICKY = 01000;
  private static final int WRITABLE_BY_OTHERS = 022;
  private static final int OPEN_TO_OTHERS = 077;
  private static final int MODE = 07777;

  /** What an entry is. */
  public enum Kind {
    DIRECTORY,
    FILE,
    LINK,
    /** A pipe, a socket or a device. */
    OTHER
  }

  public FileFacts {
    mode &= MODE;
  }

  boolean isWritableByOthers() {
    return (mode & WRITABLE_BY_OTHERS) != 0;
  }

  boolean isOpenToOthers() {
    return (mode & OPEN_TO_OTHERS) != 0;
  }

  /** Whether only its owner can rename or delete an entry of this directory (/tmp). */
  boolean isSticky() {
    return (mode & STICKY) != 0;
  }

  /** The mode as chmod(1) takes it. */
  String octal() {
    return String.format(Locale.ROOT, "%04o", mode);
  }
}
