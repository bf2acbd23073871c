package io.eley.bb.api.origin;

import io.eley.bb.api.FileVersion;
import io.eley.bb.api.OriginPaths;

/**
 * What the origin says about one file or directory.
 *
 * @param path normalised origin path
 * @param directory whether it is a directory; anything else is read as a file
 * @param length bytes; zero for a directory
 * @param modifiedMillis milliseconds since the epoch
 * @param permissions the nine POSIX permission bits, for example octal 644
 * @param owner user name, empty when the origin does not say
 * @param group group name, empty when the origin does not say
 * @param stamp inode and change time, where the origin has them
 */
public record OriginStatus(
    String path,
    boolean directory,
    long length,
    long modifiedMillis,
    int permissions,
    String owner,
    String group,
    FileVersion.Stamp stamp) {
  public OriginStatus {
    OriginPaths.requireNormalised(path);
    if (length < 0 || permissions < 0 || permissions > 0777) {
      throw new IllegalArgumentException("not a file status: " + path);
    }
  }

  /** Attributes on an origin that has no inodes and change times. */
  public OriginStatus(
      String path,
      boolean directory,
      long length,
      long modifiedMillis,
      int permissions,
      String owner,
      String group) {
    this(
        path, directory, length, modifiedMillis, permissions, owner, group, FileVersion.Stamp.NONE);
  }

  /** The same attributes with another stamp. */
  OriginStatus withStamp(FileVersion.Stamp other) {
    return new OriginStatus(
        path, directory, length, modifiedMillis, permissions, owner, group, other);
  }

  /** The version of the file that these attributes identify. */
  public FileVersion version() {
    return new FileVersion(path, length, modifiedMillis, stamp);
  }
}
