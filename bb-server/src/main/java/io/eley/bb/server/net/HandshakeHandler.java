package io.eley.bb.server.net;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Endpoints;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.FrameSealer;
import io.eley.bb.api.wire.Handshake;
import io.eley.bb.api.wire.HandshakeMessage.Greeting;
import io.eley.bb.api.wire.HandshakeMessage.Proof;
import io.eley.bb.api.wire.ReplyMessage;
import io.eley.bb.api.wire.Secret;
import io.eley.bb.api.wire.SecuredFrames;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The first frames of a connection, until both sides have proved themselves. Then it lets {@link
 * SessionChannel} take over and goes away.
 *
 * <p>States: waiting for Hello, waiting for the secret of the key that it names, waiting for Proof,
 * over. A connection that is refused stays in "over" until it closes; {@link FrameDecoder} passes
 * nothing on any more.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class HandshakeHandler extends SimpleChannelInboundHandler<FrameDecoder.Frame> {
  private final Credentials credentials;
  private final KeyRing keys;
  private final Duration deadline;
  private final Gatekeeper gatekeeper;
  private final BiFunction<FrameSealer, String, SessionChannel> next;

  private @Nullable Greeting greeting;
  private Handshake.@Nullable Server handshake;
  private @Nullable Future<?> timer;

  /**
   * A handler of one connection.
   *
   * @param keys of clients that name theirs
   * @param deadline from the connection's beginning to the client's proof
   * @param next what takes over, with the name of the key that the client has proved
   */
  HandshakeHandler(
      Credentials credentials,
      KeyRing keys,
      Duration deadline,
      Gatekeeper gatekeeper,
      BiFunction<FrameSealer, String, SessionChannel> next) {
    this.credentials = credentials;
    this.keys = keys;
    this.deadline = deadline;
    this.gatekeeper = gatekeeper;
    this.next = next;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    gatekeeper
        .admit(context.channel())
        .ifPresent(oldest -> oldest.eventLoop().execute(() -> evict(oldest)));
    timer =
        context
            .executor()
            .schedule(() -> refuseLate(context), deadline.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FrameDecoder.Frame frame) {
    try {
      if (greeting == null && frame.message() instanceof Greeting hello) {
        greeting = hello;
        if (hello.key().isEmpty()) {
          challenge(context, frame.correlation(), hello, credentials);
        } else {
          var unused =
              keys.find(hello.key())
                  .whenComplete((s, e) -> found(context, frame.correlation(), hello, s, e));
        }
      } else if (handshake != null && frame.message() instanceof Proof proof) {
        succeed(context, frame.correlation(), handshake.verify(proof));
      } else {
        refuse(
            context.channel(),
            frame.correlation(),
            ErrorCode.UNAUTHENTICATED,
            frame.message().type() + " before the handshake is over");
      }
    } catch (EleyException e) {
      Refusal.send(context.channel(), frame.correlation(), e);
    }
  }

  /** On any thread: the secret of the client's key is there, or the reason why it is not. */
  private void found(
      ChannelHandlerContext context,
      long correlation,
      Greeting hello,
      @Nullable Secret secret,
      @Nullable Throwable why) {
    try {
      context
          .executor()
          .execute(
              () -> {
                if (secret != null) {
                  challenge(context, correlation, hello, credentials.with(secret));
                } else {
                  Refusal.send(context.channel(), correlation, unknown(why));
                }
              });
    } catch (RejectedExecutionException e) {
      context.close(); // the server has stopped
    }
  }

  private static EleyException unknown(@Nullable Throwable why) {
    Throwable cause = why instanceof CompletionException ? why.getCause() : why;
    return cause instanceof EleyException ours
        ? ours
        : new EleyException(ErrorCode.UNAUTHENTICATED, "this key cannot be looked up");
  }

  private void challenge(
      ChannelHandlerContext context, long correlation, Greeting hello, Credentials with) {
    try {
      handshake = new Handshake.Server(with, ends(context.channel()), hello);
      send(context, Codec.encode(handshake.challenge(), correlation));
    } catch (EleyException e) {
      Refusal.send(context.channel(), correlation, e);
    }
  }

  private static Endpoints ends(Channel channel) {
    return new Endpoints(
        (InetSocketAddress) channel.remoteAddress(), (InetSocketAddress) channel.localAddress());
  }

  private void succeed(ChannelHandlerContext context, long correlation, SecuredFrames frames) {
    var pipeline = context.pipeline();
    pipeline.get(FrameDecoder.class).protect(frames);
    send(context, frames.out().seal(Codec.encode(new ReplyMessage.Ok(), correlation)));
    pipeline.addLast(next.apply(frames.out(), greeting == null ? "" : greeting.key()));
    pipeline.remove(this);
  }

  /** On the event loop of a connection that has lost its place, unless it has just succeeded. */
  private static void evict(Channel channel) {
    if (channel.pipeline().get(HandshakeHandler.class) != null) {
      Refusal.sendAndClose(
          channel,
          new EleyException(
              ErrorCode.UNAVAILABLE, "too many connections are waiting to be authenticated"));
    }
  }

  private void refuseLate(ChannelHandlerContext context) {
    if (!context.isRemoved()) {
      refuse(
          context.channel(),
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
    gatekeeper.leave(context.channel());
  }

  private static void refuse(Channel channel, long correlation, ErrorCode code, String why) {
    Refusal.send(channel, correlation, new EleyException(code, why));
  }

  private static void send(ChannelHandlerContext context, ByteBuffer frame) {
    context.writeAndFlush(Unpooled.wrappedBuffer(frame));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    // An unauthenticated connection broke: there is no session to end, and nothing to log.
    context.close();
  }
}
