package io.eley.bb.api;

/**
 * A range of one origin file by path, as Spark names its input; the version is resolved by the
 * coordinator.
 *
 * @param path normalised origin path
 * @param range bytes of the file
 */
public record FileSlice(String path, ByteRange range) {
  public FileSlice {
    OriginPaths.requireNormalised(path);
  }
}
