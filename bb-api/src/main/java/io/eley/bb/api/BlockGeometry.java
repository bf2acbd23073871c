package io.eley.bb.api;

import java.util.BitSet;

/**
 * How a deployment cuts files: into blocks, and blocks into chunks. A chunk is the unit of one
 * origin read and of one check of the permit. A checksum is of a page, which is smaller, so that
 * verifying reads little more than what is asked for.
 *
 * @param blockSize bytes, a multiple of {@code chunkSize}, at most 1 GiB
 * @param chunkSize bytes, a power of two from 4 KiB to 16 MiB
 */
public record BlockGeometry(int blockSize, int chunkSize) {
  private static final int LARGEST_PAGE = 16 << 10;

  /** A RAM-disk allocates whole pages. */
  private static final int RAM_PAGE = 4096;

  /** What is behind a whole block in its file, without its path and its checksums. */
  private static final int FOOTER_BYTES = 72;

  private static final int CHECKSUM_BYTES = 4;

  public static final BlockGeometry DEFAULT = new BlockGeometry(16 << 20, 1 << 20);

  public BlockGeometry {
    if (chunkSize < 4 << 10 || chunkSize > 16 << 20 || Integer.bitCount(chunkSize) != 1) {
      throw new IllegalArgumentException(
          "chunk size must be a power of two from 4 KiB to 16 MiB: " + chunkSize);
    }
    if (blockSize < chunkSize || blockSize > 1 << 30 || blockSize % chunkSize != 0) {
      throw new IllegalArgumentException(
          "block size must be a multiple of the chunk size "
              + chunkSize
              + ", at most 1 GiB: "
              + blockSize);
    }
  }

  /** Index of the block that holds a byte of the file. */
  public int blockIndex(long fileOffset) {
    return Math.toIntExact(fileOffset / blockSize);
  }

  /** Number of blocks of a file of this length; an empty file has none. */
  public int blockCount(long fileLength) {
    return Math.toIntExact((fileLength + blockSize - 1) / blockSize);
  }

  /** The bytes of the file that the block holds. */
  public ByteRange range(BlockId block) {
    long offset = (long) block.index() * blockSize;
    long length = Math.min(blockSize, block.file().length() - offset);
    if (length <= 0) {
      throw new IllegalArgumentException("block past the end of its file: " + block);
    }
    return new ByteRange(offset, length);
  }

  /** Bytes in the block, from 1 to {@link #blockSize()}. */
  public int length(BlockId block) {
    return (int) range(block).length();
  }

  /**
   * Bytes in a part of a block; every page has the same but the last one of a file.
   *
   * @throws IllegalArgumentException when a page lies behind the block's end
   */
  public int length(BlockPart part) {
    int length = length(part.block());
    if (part.pages().isAll()) {
      return length;
    }
    int count = pageCount(length);
    BitSet pages = part.pages().bits(count);
    int missing = pages.get(count - 1) ? count * pageSize() - length : 0;
    return pages.cardinality() * pageSize() - missing;
  }

  /**
   * Bytes of RAM that a part of a block takes on a node: its own, those of a whole block's footer,
   * rounded up to the RAM-disk's pages. What plans count is what nodes reserve.
   *
   * @throws IllegalArgumentException when a page lies behind the block's end
   */
  public int footprint(BlockPart part) {
    long bytes = length(part);
    if (part.pages().isAll()) {
      bytes += FOOTER_BYTES + encodedLength(part.block().file().path());
      bytes += (long) CHECKSUM_BYTES * pageCount(length(part.block()));
    }
    return (int) ((bytes + RAM_PAGE - 1) / RAM_PAGE * RAM_PAGE);
  }

  /** Bytes of a text in UTF-8, found without encoding it: plans ask for each of their blocks. */
  private static int encodedLength(String text) {
    int bytes = text.length();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x800 && !Character.isSurrogate(c)) {
        bytes += 2;
      } else if (c >= 0x80) {
        bytes++;
      }
    }
    return bytes;
  }

  /** Bytes that one checksum is of; a chunk is a whole number of pages. */
  public int pageSize() {
    return Math.min(chunkSize, LARGEST_PAGE);
  }

  /** Number of pages in a block of this many bytes. */
  public int pageCount(int blockLength) {
    return (blockLength + pageSize() - 1) / pageSize();
  }

  /** Number of chunks in a block of this many bytes. */
  public int chunkCount(int blockLength) {
    return (blockLength + chunkSize - 1) / chunkSize;
  }
}
