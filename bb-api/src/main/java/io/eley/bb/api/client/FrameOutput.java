package io.eley.bb.api.client;

import io.eley.bb.api.wire.FrameSealer;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Protected frames into a blocking channel. A payload that may leave bare never enters this
 * process's memory ({@code sendfile(2)}); others are sealed piece by piece, in memory of two
 * pieces. After an error a frame may be cut: the channel is of no use any more. Not safe for
 * several threads but for {@link #moved}.
 */
final class FrameOutput {
  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  private final WritableByteChannel channel;
  private final FrameSealer sealer;
  private ByteBuffer piece = NONE;
  private ByteBuffer sealed = NONE;
  private final AtomicLong moved = new AtomicLong();

  FrameOutput(WritableByteChannel channel, FrameSealer sealer) {
    this.channel = channel;
    this.sealer = sealer;
  }

  /** Bytes that have left, counted piece by piece of 1 MiB or less. Any thread. */
  long moved() {
    return moved.get();
  }

  /** Blocks until a frame without a payload has left. */
  void write(ByteBuffer frame) throws IOException {
    writeFully(sealer.seal(frame));
  }

  /** Blocks until frames without payloads have left, together where the channel takes them so. */
  void write(List<ByteBuffer> frames) throws IOException {
    if (frames.size() == 1) {
      write(frames.get(0));
      return;
    }
    List<ByteBuffer> all = frames.stream().map(sealer::seal).toList();
    var together = ByteBuffer.allocate(all.stream().mapToInt(ByteBuffer::remaining).sum());
    all.forEach(together::put);
    writeFully(together.flip());
  }

  /**
   * Blocks until a frame and its payload have left.
   *
   * @throws EOFException when the file is shorter than was promised
   */
  void write(ByteBuffer frame, FilePayload payload) throws IOException {
    writeFully(sealer.seal(frame));
    if (sealer.protection().leavesPayloadsBare()) {
      transfer(payload);
    } else {
      seal(payload);
    }
  }

  private void transfer(FilePayload payload) throws IOException {
    long end = payload.position() + payload.length();
    for (long at = payload.position(); at < end; ) {
      long count = payload.file().transferTo(at, end - at, channel);
      if (count <= 0 && payload.file().size() < end) {
        throw shorter();
      }
      at += count;
      moved.addAndGet(count);
    }
  }

  private void seal(FilePayload payload) throws IOException {
    FrameSealer.Payload records = sealer.payload(payload.length());
    if (piece.capacity() == 0) {
      piece = ByteBuffer.allocateDirect(FrameSealer.PIECE);
      sealed = ByteBuffer.allocateDirect(FrameSealer.PIECE + FrameSealer.TAG_BYTES);
    }
    long at = payload.position();
    for (int next = records.nextLength(); next > 0; next = records.nextLength()) {
      readFully(payload.file(), at, piece.clear().limit(next));
      at += next;
      records.seal(piece.flip(), sealed.clear());
      writeFully(sealed.flip());
    }
  }

  private static void readFully(FileChannel file, long position, ByteBuffer target)
      throws IOException {
    for (long at = position; target.hasRemaining(); ) {
      int count = file.read(target, at);
      if (count < 0) {
        throw shorter();
      }
      at += count;
    }
  }

  private static EOFException shorter() {
    return new EOFException("a file became shorter while it was sent");
  }

  private void writeFully(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      moved.addAndGet(channel.write(bytes));
    }
  }
}
