package io.eley.bb.api;

/**
 * A block: the {@code index}-th fixed-size range of one file version. The unit of placement, fetch
 * and eviction. The size is the deployment's {@link BlockGeometry}, the same for every block but
 * the last of a file.
 *
 * @param file the version it belongs to
 * @param index zero or more
 */
public record BlockId(FileVersion file, int index) {
  public BlockId {
    if (index < 0) {
      throw new IllegalArgumentException("negative block index " + index + " of " + file);
    }
  }

  @Override
  public String toString() {
    return file + "#" + index;
  }
}
