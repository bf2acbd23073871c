package io.eley.bb.server.net;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.FrameOpener;
import io.eley.bb.api.wire.FrameSealer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;

/**
 * A payload while it arrives. What is legible stays in the buffers it was received into; encrypted
 * records are opened into memory of their own. Belongs to the connection's event loop.
 */
final class PayloadInput {
  private final FrameOpener opener;
  private final ByteBufAllocator allocator;
  private final CompositeByteBuf arrived;
  private int left;

  /**
   * A payload of which nothing has come.
   *
   * @param length checked by the caller: so much memory will be held
   */
  PayloadInput(FrameOpener opener, ByteBufAllocator allocator, int length) {
    this.opener = opener;
    this.allocator = allocator;
    this.left = length;
    this.arrived = allocator.compositeBuffer(Integer.MAX_VALUE);
  }

  /**
   * Takes what belongs to it.
   *
   * @return whether all of it is there
   * @throws EleyException {@code UNAUTHENTICATED}
   */
  boolean take(ByteBuf in) throws EleyException {
    if (opener.protection().leavesPayloadsBare()) {
      int length = Math.min(left, in.readableBytes());
      if (length > 0) {
        add(in.readRetainedSlice(length));
      }
    } else {
      int next = Math.min(left, FrameSealer.PIECE);
      while (next > 0 && in.readableBytes() >= next + FrameSealer.TAG_BYTES) {
        add(open(in, next));
        next = Math.min(left, FrameSealer.PIECE);
      }
    }
    return left == 0;
  }

  private ByteBuf open(ByteBuf in, int length) throws EleyException {
    int at = in.readerIndex();
    int record = length + FrameSealer.TAG_BYTES;
    if (!opener.protection().encrypts()) {
      opener.checkPiece(in.nioBuffer(at, length), in.nioBuffer(at + length, FrameSealer.TAG_BYTES));
      ByteBuf piece = in.retainedSlice(at, length);
      in.skipBytes(record);
      return piece;
    }
    ByteBuf piece = allocator.directBuffer(length, length);
    try {
      opener.openPiece(in.nioBuffer(at, record), piece.nioBuffer(0, length));
    } catch (EleyException e) {
      piece.release();
      throw e;
    }
    in.skipBytes(record);
    return piece.writerIndex(length);
  }

  private void add(ByteBuf piece) {
    left -= piece.readableBytes();
    arrived.addComponent(true, piece);
  }

  /** Bytes that are to come. */
  int left() {
    return left;
  }

  /** All of it; the caller's from now on. */
  ReceivedBytes received() {
    return new ReceivedBytes(arrived);
  }

  /** Gives back what has come. */
  void release() {
    arrived.release();
  }
}
