package io.eley.bb.server.net;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.Handshake;
import io.eley.bb.api.wire.HandshakeMessage.Hello;
import io.eley.bb.api.wire.HandshakeMessage.Proof;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.ReplyMessage;
import io.eley.bb.api.wire.Secret;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The first frames of a connection, until both sides have proved that they know the secret. Then it
 * lets {@link SessionChannel} take over and goes away.
 *
 * <p>States: waiting for Hello, waiting for Proof, over. A connection that is refused stays in
 * "over" until it closes; {@link FrameDecoder} passes nothing on any more.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class HandshakeHandler extends SimpleChannelInboundHandler<FrameDecoder.Frame> {
  private final Secret secret;
  private final Duration deadline;
  private final Gatekeeper gatekeeper;
  private final SessionChannel next;

  private @Nullable Handshake handshake;
  private @Nullable Future<?> timer;
  private boolean admitted;

  HandshakeHandler(Secret secret, Duration deadline, Gatekeeper gatekeeper, SessionChannel next) {
    this.secret = secret;
    this.deadline = deadline;
    this.gatekeeper = gatekeeper;
    this.next = next;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    admitted = gatekeeper.admit();
    if (!admitted) {
      refuse(
          context,
          FrameHeader.PUSH,
          ErrorCode.UNAVAILABLE,
          "too many connections are waiting to be authenticated");
      return;
    }
    timer =
        context
            .executor()
            .schedule(() -> refuseLate(context), deadline.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FrameDecoder.Frame frame) {
    try {
      if (handshake == null && frame.message() instanceof Hello hello) {
        handshake = Handshake.accept(secret, hello);
        send(context, handshake.challenge(), frame.correlation());
      } else if (handshake != null && frame.message() instanceof Proof proof) {
        handshake.verify(proof);
        succeed(context, frame.correlation());
      } else {
        refuse(
            context,
            frame.correlation(),
            ErrorCode.UNAUTHENTICATED,
            frame.message().type() + " before the handshake is over");
      }
    } catch (EleyException e) {
      Refusal.send(context.channel(), frame.correlation(), e);
    }
  }

  private void succeed(ChannelHandlerContext context, long correlation) {
    var pipeline = context.pipeline();
    pipeline.get(FrameDecoder.class).allowLargeFrames();
    send(context, new ReplyMessage.Ok(), correlation);
    pipeline.addLast(next);
    pipeline.remove(this);
  }

  private void refuseLate(ChannelHandlerContext context) {
    if (!context.isRemoved()) {
      refuse(
          context,
          FrameHeader.PUSH,
          ErrorCode.DEADLINE,
          "no handshake within " + deadline.toMillis() + " ms");
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    // Both on success and when the channel closes: the one place where the place is given back.
    if (timer != null) {
      timer.cancel(false);
    }
    if (admitted) {
      admitted = false;
      gatekeeper.leave();
    }
  }

  private static void refuse(
      ChannelHandlerContext context, long correlation, ErrorCode code, String why) {
    Refusal.send(context.channel(), correlation, new EleyException(code, why));
  }

  private static void send(ChannelHandlerContext context, Message message, long correlation) {
    context.writeAndFlush(Unpooled.wrappedBuffer(Codec.encode(message, correlation)));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    // An unauthenticated connection broke: there is no session to end, and nothing to log.
    context.close();
  }
}
