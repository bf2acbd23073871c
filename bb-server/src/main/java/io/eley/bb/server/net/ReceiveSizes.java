package io.eley.bb.server.net;

import io.eley.bb.api.wire.ScratchMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import java.util.function.IntSupplier;

/**
 * How much of a socket is read at once: of messages what Netty thinks right, 64 KiB at most, since
 * all of them are answered before a pause holds; of a payload up to a piece of a map output, since
 * its bytes cost the less the fewer buffers they lie in. Both grow while a peer fills them and
 * shrink when it does not, so that a peer that sends little makes nobody hold much.
 */
@SuppressWarnings("deprecation") // Netty's interface still speaks in terms of it
final class ReceiveSizes implements RecvByteBufAllocator {
  private static final RecvByteBufAllocator MESSAGES = new AdaptiveRecvByteBufAllocator();
  private static final RecvByteBufAllocator PAYLOADS =
      new AdaptiveRecvByteBufAllocator(64, 64 << 10, ScratchMessage.PIECE_MAX);

  private final IntSupplier awaited;

  /**
   * Those of one connection, whose event loop asks.
   *
   * @param awaited bytes of a payload that are to come; 0 between payloads
   */
  ReceiveSizes(IntSupplier awaited) {
    this.awaited = awaited;
  }

  @Override
  public Handle newHandle() {
    return new OfBoth(MESSAGES.newHandle(), PAYLOADS.newHandle());
  }

  /** Counts all reads with the first, as to when the loop's turn ends; sizes are each one's own. */
  private final class OfBoth extends DelegatingHandle {
    private final Handle payloads;
    private boolean inPayload;
    private boolean ofThisTurn;

    OfBoth(Handle messages, Handle payloads) {
      super(messages);
      this.payloads = payloads;
    }

    @Override
    public void reset(ChannelConfig config) {
      super.reset(config);
      payloads.reset(config);
      ofThisTurn = false;
    }

    @Override
    public int guess() {
      int left = awaited.getAsInt();
      return left > 0 ? Math.min(left, payloads.guess()) : super.guess();
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator allocator) {
      inPayload = awaited.getAsInt() > 0;
      return inPayload ? allocator.ioBuffer(guess()) : super.allocate(allocator);
    }

    @Override
    public void lastBytesRead(int bytes) {
      super.lastBytesRead(bytes);
      if (inPayload) {
        ofThisTurn = true;
        payloads.attemptedBytesRead(attemptedBytesRead());
        payloads.lastBytesRead(bytes);
      }
    }

    @Override
    public void readComplete() {
      super.readComplete();
      if (ofThisTurn) {
        payloads.readComplete();
      }
    }
  }
}
