package io.eley.bb.server.store;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.wire.WireReader;
import io.eley.bb.api.wire.WireWriter;
import java.io.EOFException;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * What follows a block's bytes in its file, so that the inventory can be rebuilt from the files
 * alone. It is read from the end: magic (8 bytes), CRC32C of the body (4), length of the body (4),
 * body. The body is the footer's version, the block, the geometry and the CRC32C of each page. How
 * much it takes {@link BlockGeometry#footprint} says before it is made.
 *
 * @param block whose bytes precede the footer
 * @param geometry it was cut with
 * @param checksums CRC32C (RFC 3720, appendix B.4) of each page
 */
record BlockFooter(BlockId block, BlockGeometry geometry, List<Integer> checksums) {
  private static final long MAGIC = 0x456c6579426c6b31L; // "EleyBlk1"
  private static final int VERSION = 2;
  private static final int TRAILER_BYTES = 16;

  /** A path of 12 KiB and the checksums of 1 GiB in 4 KiB chunks fit easily. */
  private static final int MAX_BODY = 2 << 20;

  BlockFooter {
    checksums = List.copyOf(checksums);
  }

  /** The bytes to write after the block's. */
  ByteBuffer encode() {
    var body = new WireWriter();
    body.i32(VERSION)
        .block(block)
        .i32(geometry.blockSize())
        .i32(geometry.chunkSize())
        .list(checksums, WireWriter::i32);
    ByteBuffer written = body.written();
    var footer = ByteBuffer.allocate(written.remaining() + TRAILER_BYTES);
    return footer
        .put(written.duplicate())
        .putInt(written.remaining())
        .putInt(crc(written))
        .putLong(MAGIC)
        .flip();
  }

  /**
   * Reads the footer of a file.
   *
   * @throws IOException saying in a few words why the file is not a block
   */
  static BlockFooter readFrom(FileChannel file) throws IOException {
    long size = file.size();
    if (size < TRAILER_BYTES) {
      throw new IOException("too short for a footer");
    }
    ByteBuffer trailer = read(file, size - TRAILER_BYTES, TRAILER_BYTES);
    int bodyLength = trailer.getInt();
    int bodyCrc = trailer.getInt();
    if (trailer.getLong() != MAGIC) {
      throw new IOException("no footer at its end");
    }
    long bodyStart = size - TRAILER_BYTES - bodyLength;
    if (bodyLength < 0 || bodyLength > MAX_BODY || bodyStart < 0) {
      throw new IOException("damaged footer");
    }
    ByteBuffer body = read(file, bodyStart, bodyLength);
    if (crc(body) != bodyCrc) {
      throw new IOException("damaged footer");
    }
    return decode(body, bodyStart);
  }

  private static BlockFooter decode(ByteBuffer body, long blockLength) throws IOException {
    try {
      var in = new WireReader(body);
      int version = in.i32();
      if (version != VERSION) {
        throw new IOException("footer of version " + version);
      }
      BlockId block = in.block();
      var geometry = new BlockGeometry(in.i32(), in.i32());
      List<Integer> checksums = in.list(WireReader::i32);
      int length = geometry.length(block);
      boolean whole = length == blockLength && !body.hasRemaining();
      if (!whole || checksums.size() != geometry.pageCount(length)) {
        throw new IOException("footer that does not fit its file");
      }
      return new BlockFooter(block, geometry, checksums);
    } catch (IllegalArgumentException | BufferUnderflowException e) {
      throw new IOException("footer that makes no sense", e);
    }
  }

  private static ByteBuffer read(FileChannel file, long position, int length) throws IOException {
    var bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      if (file.read(bytes, position + bytes.position()) < 0) {
        throw new EOFException("truncated while it was read");
      }
    }
    return bytes.flip();
  }

  private static int crc(ByteBuffer bytes) {
    var crc = new CRC32C();
    crc.update(bytes.duplicate());
    return (int) crc.getValue();
  }
}
