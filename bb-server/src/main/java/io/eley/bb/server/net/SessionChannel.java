package io.eley.bb.server.net;

import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.FrameSealer;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An authenticated connection's place in the pipeline: makes the session, passes messages to the
 * handler and events to the session. A defect in the handler costs the one request.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class SessionChannel extends SimpleChannelInboundHandler<FrameDecoder.Frame> {
  private static final Logger LOG = LoggerFactory.getLogger(SessionChannel.class);

  private final SessionHandler handler;
  private final FrameServerOptions.Sending limits;
  private final FrameSealer sealer;
  private final String key;
  private @Nullable NettySession session;

  SessionChannel(
      SessionHandler handler, FrameServerOptions.Sending limits, FrameSealer sealer, String key) {
    this.key = key;
    this.handler = handler;
    this.limits = limits;
    this.sealer = sealer;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    session = new NettySession((SocketChannel) context.channel(), limits, sealer, key);
    handler.opened(session);
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FrameDecoder.Frame frame) {
    NettySession opened = opened();
    try {
      ReceivedBytes payload = frame.payload();
      if (payload == null) {
        handler.received(opened, frame.correlation(), frame.message());
      } else {
        handler.received(opened, frame.correlation(), frame.message(), payload);
      }
    } catch (RuntimeException e) {
      LOG.error("defect while handling {} from {}", frame.message().type(), opened.peer(), e);
      opened.reply(
          frame.correlation(),
          new Failure(ErrorCode.INTERNAL, "defect while handling " + frame.message().type()));
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    opened().drain();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    // The first event comes after any pause, also in the middle of a new reply; only a later one
    // means that nothing at all has moved for the whole of the limit.
    if (event instanceof IdleStateEvent idle && !idle.isFirst()) {
      opened().closeIfStalled();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    opened().end();
    handler.closed(opened());
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    // A broken connection is normal, since peers come and go. Anything else is a defect.
    if (!(cause instanceof IOException)) {
      LOG.error("defect on the connection of {}", opened().peer(), cause);
    }
    context.close();
  }

  private NettySession opened() {
    if (session == null) {
      throw new IllegalStateException("an event before the handler was added");
    }
    return session;
  }
}
