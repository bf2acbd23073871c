package io.eley.bb.server.store;

import io.eley.bb.api.BlockPart;
import io.eley.fuzz.Input;
import io.eley.fuzz.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/** Block files that a former process, or somebody else, has left on the RAM-disk. */
public final class BlockFooterFuzz {
  private static final long MAGIC = 0x456c6579426c6b31L;
  private static final int TRAILER_BYTES = 16;

  private BlockFooterFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    byte[] rest = Input.rest(input);
    // An even choice gives the body the trailer that belongs to it: nobody guesses a checksum.
    byte[] content = Input.choice(input) % 2 == 0 ? withTrailer(rest) : rest;
    Path file = Scratch.file("block", content);
    try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
      BlockFooter footer = BlockFooter.readFrom(channel);
      comesBack(footer, channel.size());
    } catch (IOException e) {
      // As it must be.
    }
  }

  private static void comesBack(BlockFooter footer, long size) {
    int length = footer.geometry().length(footer.block());
    Input.require(
        length + footer.encode().remaining() == size, "a footer that does not fit its file");
    Input.require(
        footer.geometry().footprint(BlockPart.whole(footer.block())) >= BlockStore.footprint(size),
        "a block takes more than it was said to");
  }

  /** The first bytes, as many as the first one says, are the block's. */
  private static byte[] withTrailer(byte[] rest) {
    int bytes = rest.length == 0 ? 0 : Math.min(Byte.toUnsignedInt(rest[0]), rest.length);
    ByteBuffer body = ByteBuffer.wrap(rest, bytes, rest.length - bytes).slice();
    var crc = new CRC32C();
    crc.update(body.duplicate());
    return ByteBuffer.allocate(rest.length + TRAILER_BYTES)
        .put(rest)
        .putInt(body.remaining())
        .putInt((int) crc.getValue())
        .putLong(MAGIC)
        .array();
  }
}
