package io.eley.bb.api.client;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.FrameOpener;
import io.eley.bb.api.wire.FrameSealer;
import io.eley.bb.api.wire.Message;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.function.IntConsumer;

/**
 * Protected frames out of a blocking channel. Small things go through a staging buffer, so that a
 * header and its body cost one system call; what is left of a legible payload after that goes
 * straight into its target, and encrypted pieces are opened out of the staging buffer into it. Not
 * safe for several threads.
 */
final class FrameInput {
  private static final int STAGING = 16 << 10;
  private static final int PREFIX = Integer.BYTES;
  private static final int TAG = FrameSealer.TAG_BYTES;

  /** The longest record of a payload. */
  private static final int RECORD = FrameSealer.PIECE + TAG;

  /**
   * A heap target is filled through a temporary direct buffer of the JDK's, as large as the read:
   * keep it small.
   */
  private static final int PIECE = 256 << 10;

  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  private final ReadableByteChannel channel;
  private final FrameOpener opener;
  private ByteBuffer staging = ByteBuffer.allocateDirect(STAGING).flip();
  private ByteBuffer body = NONE;

  FrameInput(ReadableByteChannel channel, FrameOpener opener) {
    this.channel = channel;
    this.opener = opener;
  }

  /**
   * Blocks until a header and its body are there.
   *
   * @throws EleyException {@code UNAUTHENTICATED} when somebody has touched them, {@code MALFORMED}
   */
  FrameHeader header() throws IOException {
    fill(PREFIX);
    int length = PREFIX + FrameOpener.lengthBehind(staging.getInt(staging.position()));
    ByteBuffer frame = opener.open(take(length));
    FrameHeader header = FrameOpener.header(frame);
    body = frame;
    return header;
  }

  /** The message of the header that was read last. */
  Message message(FrameHeader header) throws EleyException {
    return Codec.decode(header, body);
  }

  /**
   * Fills the target completely with a whole payload.
   *
   * @throws EleyException {@code UNAUTHENTICATED} when somebody has touched it; what the target
   *     then holds has no meaning
   */
  void readPayload(ByteBuffer target) throws IOException {
    readPayload(target, filled -> {});
  }

  /**
   * The same.
   *
   * @param arrived is told how many bytes are in the target, piece by piece
   */
  void readPayload(ByteBuffer target, IntConsumer arrived) throws IOException {
    int begin = target.position();
    boolean bare = opener.protection().leavesPayloadsBare();
    if (bare) {
      readStaged(target);
    }
    int end = target.limit();
    while (target.position() < end) {
      target.limit(Math.min(end, target.position() + (bare ? PIECE : FrameSealer.PIECE)));
      if (bare) {
        read(target);
        target.limit(end);
      } else {
        readPiece(target);
      }
      arrived.accept(target.position() - begin);
    }
    arrived.accept(target.position() - begin);
  }

  /** Reads a whole payload and discards it. */
  void skip(int length) throws IOException {
    var scrap = ByteBuffer.allocate(Math.min(length, FrameSealer.PIECE));
    for (int left = length; left > 0; left -= scrap.limit()) {
      readPayload(scrap.clear().limit(Math.min(left, scrap.capacity())));
    }
  }

  private void readPiece(ByteBuffer target) throws IOException {
    int length = target.remaining();
    if (opener.protection().encrypts()) {
      opener.openPiece(take(length + TAG), target);
      return;
    }
    ByteBuffer piece = target.duplicate();
    readBytes(target);
    opener.checkPiece(piece, take(TAG));
  }

  private void readStaged(ByteBuffer target) {
    int staged = Math.min(staging.remaining(), target.remaining());
    target.put(staging.slice(staging.position(), staged));
    staging.position(staging.position() + staged);
  }

  private void readBytes(ByteBuffer target) throws IOException {
    readStaged(target);
    int end = target.limit();
    while (target.position() < end) {
      target.limit(Math.min(end, target.position() + PIECE));
      read(target);
    }
  }

  /** So many bytes; they are valid until the next ones are taken. */
  private ByteBuffer take(int length) throws IOException {
    if (length > RECORD) {
      var once = ByteBuffer.allocate(length);
      readBytes(once.duplicate());
      return once;
    }
    fill(length);
    ByteBuffer taken = staging.slice(staging.position(), length);
    staging.position(staging.position() + length);
    return taken;
  }

  private void fill(int needed) throws IOException {
    if (staging.remaining() >= needed) {
      return;
    }
    makeRoom(needed);
    while (staging.position() < needed) {
      read(staging);
    }
    staging.flip();
  }

  /** A client has many connections, and most of them never see a record of a payload. */
  private void makeRoom(int needed) {
    if (needed <= staging.capacity()) {
      staging.compact();
    } else {
      staging = ByteBuffer.allocateDirect(RECORD + STAGING).put(staging);
    }
  }

  private void read(ByteBuffer into) throws IOException {
    if (channel.read(into) < 0) {
      throw new EOFException("the peer closed the connection");
    }
  }
}
