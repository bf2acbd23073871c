package io.eley.bb.api;

/**
 * One version of one origin file. A block belongs to a file version, so a changed file is a
 * different file to the buffer and an old block can never be served for it.
 *
 * @param path absolute, normalised path below the origin's root, beginning with {@code /}; see
 *     {@link OriginPaths}
 * @param length bytes, zero or more
 * @param modifiedMillis modification time, milliseconds since the epoch as the origin reports it
 */
public record FileVersion(String path, long length, long modifiedMillis) {
  public FileVersion {
    OriginPaths.requireNormalised(path);
    if (length < 0) {
      throw new IllegalArgumentException("negative length " + length + " of " + path);
    }
  }

  @Override
  public String toString() {
    return path + "@" + modifiedMillis + "+" + length;
  }
}
