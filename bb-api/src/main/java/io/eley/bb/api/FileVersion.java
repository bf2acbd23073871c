package io.eley.bb.api;

/**
 * One version of one origin file. A block belongs to a file version, so a changed file is a
 * different file to the buffer and an old block can never be served for it.
 *
 * @param path absolute, normalised path below the origin's root, beginning with {@code /}; see
 *     {@link OriginPaths}
 * @param length bytes, zero or more
 * @param modifiedMillis modification time, milliseconds since the epoch as the origin reports it
 * @param stamp what a writer cannot set back, where the origin has it
 */
public record FileVersion(String path, long length, long modifiedMillis, Stamp stamp) {
  /**
   * What tells two files apart that have one name, one length and one modification time: {@code cp
   * -p} followed by a rename makes such a file.
   *
   * @param inode number of the file on the origin; 0 when the origin does not say
   * @param changedNanos change time (st_ctime), nanoseconds since the epoch; 0 when the origin does
   *     not say
   */
  public record Stamp(long inode, long changedNanos) {
    /** Of an origin that has neither. */
    public static final Stamp NONE = new Stamp(0, 0);
  }

  public FileVersion {
    OriginPaths.requireNormalised(path);
    if (length < 0) {
      throw new IllegalArgumentException("negative length " + length + " of " + path);
    }
  }

  /** A version on an origin that has no inodes and change times. */
  public FileVersion(String path, long length, long modifiedMillis) {
    this(path, length, modifiedMillis, Stamp.NONE);
  }

  /**
   * Whether this version is older than another one of the same path: by change time where the
   * origin has it, since a writer can set the modification time back.
   */
  public boolean olderThan(FileVersion other) {
    if (stamp.changedNanos() != 0 && other.stamp.changedNanos() != 0) {
      return stamp.changedNanos() < other.stamp.changedNanos();
    }
    return modifiedMillis < other.modifiedMillis;
  }

  @Override
  public String toString() {
    String identity =
        stamp.equals(Stamp.NONE) ? "" : "#" + stamp.inode() + "@" + stamp.changedNanos();
    return path + "@" + modifiedMillis + "+" + length + identity;
  }
}
