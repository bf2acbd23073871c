package io.eley.bb.server.net;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.DuplexChannel;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Sends the reason, then closes the connection. A socket that is closed with unread input answers
 * with a reset, which would take the explanation with it; so only our direction is closed, what
 * still comes is thrown away, and the rest follows when the peer hangs up or after a grace period.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class Refusal {
  private static final long GRACE_MILLIS = 2000;

  private Refusal() {}

  /** Refuses a connection; called on its event loop. */
  static void send(Channel channel, long correlation, EleyException why) {
    write(channel, correlation, why).addListener(sent -> hangUp(channel));
  }

  /**
   * Refuses a connection at once, on its event loop: its socket is needed. The reason may be lost.
   */
  static void sendAndClose(Channel channel, EleyException why) {
    write(channel, FrameHeader.PUSH, why).addListener(ChannelFutureListener.CLOSE);
  }

  private static ChannelFuture write(Channel channel, long correlation, EleyException why) {
    ByteBuffer frame = Codec.encode(Failure.of(why), correlation);
    FrameDecoder decoder = channel.pipeline().get(FrameDecoder.class);
    if (decoder != null) {
      decoder.refuse();
      frame = decoder.outgoing(frame);
    }
    return channel.writeAndFlush(Unpooled.wrappedBuffer(frame));
  }

  private static void hangUp(Channel channel) {
    ((DuplexChannel) channel).shutdownOutput().addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    // Reading must go on, or the peer's end would never be seen.
    channel.config().setAutoRead(true);
    var last =
        channel.eventLoop().schedule(() -> channel.close(), GRACE_MILLIS, TimeUnit.MILLISECONDS);
    channel.closeFuture().addListener(closed -> last.cancel(false));
  }
}
