package io.eley.bb.api;

/**
 * A half-open range of bytes {@code [offset, offset + length)}.
 *
 * @param offset first byte, zero or more
 * @param length number of bytes, zero or more
 */
public record ByteRange(long offset, long length) {
  public ByteRange {
    if (offset < 0 || length < 0 || offset > Long.MAX_VALUE - length) {
      throw new IllegalArgumentException(
          "not a byte range: offset " + offset + ", length " + length);
    }
  }

  /** The first byte after the range. */
  public long end() {
    return offset + length;
  }

  /** Whether the two ranges share at least one byte. */
  public boolean overlaps(ByteRange other) {
    return Math.max(offset, other.offset) < Math.min(end(), other.end());
  }
}
