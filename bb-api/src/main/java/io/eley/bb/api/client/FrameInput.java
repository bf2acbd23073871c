package io.eley.bb.api.client;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.Message;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * Frames out of a blocking channel. Small things go through a staging buffer, so that a header and
 * its body cost one system call; what is left of a payload after that goes straight into its
 * target. Not safe for several threads.
 */
final class FrameInput {
  private static final int STAGING = 16 << 10;

  /**
   * A heap target is filled through a temporary direct buffer of the JDK's, as large as the read:
   * keep it small.
   */
  private static final int PIECE = 256 << 10;

  private final ReadableByteChannel channel;
  private final ByteBuffer staging = ByteBuffer.allocateDirect(STAGING).flip();

  FrameInput(ReadableByteChannel channel) {
    this.channel = channel;
  }

  /** Blocks until a header is there. */
  FrameHeader header() throws IOException {
    fill(FrameHeader.BYTES);
    return FrameHeader.decode(staging, FrameHeader.MAX_BODY);
  }

  /** Blocks until the header's body is there. */
  Message message(FrameHeader header) throws IOException {
    int length = header.bodyLength();
    if (length <= STAGING) {
      fill(length);
      ByteBuffer body = staging.slice(staging.position(), length);
      staging.position(staging.position() + length);
      return decode(header, body);
    }
    ByteBuffer body = ByteBuffer.allocate(length);
    readPayload(body.duplicate());
    return decode(header, body);
  }

  /** Fills the target completely. */
  void readPayload(ByteBuffer target) throws IOException {
    int staged = Math.min(staging.remaining(), target.remaining());
    target.put(staging.slice(staging.position(), staged));
    staging.position(staging.position() + staged);
    int end = target.limit();
    while (target.position() < end) {
      target.limit(Math.min(end, target.position() + PIECE));
      read(target);
    }
  }

  /** Reads bytes and discards them. */
  void skip(int length) throws IOException {
    int left = length;
    while (left > 0) {
      if (!staging.hasRemaining()) {
        fill(1);
      }
      int step = Math.min(left, staging.remaining());
      staging.position(staging.position() + step);
      left -= step;
    }
  }

  private static Message decode(FrameHeader header, ByteBuffer body) throws EleyException {
    return Codec.decode(header, body);
  }

  private void fill(int needed) throws IOException {
    if (staging.remaining() >= needed) {
      return;
    }
    staging.compact();
    while (staging.position() < needed) {
      read(staging);
    }
    staging.flip();
  }

  private void read(ByteBuffer into) throws IOException {
    if (channel.read(into) < 0) {
      throw new EOFException("the peer closed the connection");
    }
  }
}
