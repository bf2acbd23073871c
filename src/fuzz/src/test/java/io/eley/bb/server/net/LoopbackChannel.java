package io.eley.bb.server.net;

import io.eley.bb.api.wire.Endpoints;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelId;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.DuplexChannel;
import java.net.SocketAddress;

/** A channel in memory that has the ends of a TCP connection and can be closed in one direction. */
final class LoopbackChannel extends EmbeddedChannel implements DuplexChannel {
  private final Endpoints ends;

  LoopbackChannel(Endpoints ends, ChannelHandler... handlers) {
    super(DefaultChannelId.newInstance(), false, false); // registered when the ends are known
    this.ends = ends;
    pipeline().addLast(handlers);
    try {
      register();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  protected SocketAddress localAddress0() {
    return ends.server();
  }

  @Override
  protected SocketAddress remoteAddress0() {
    return ends.client();
  }

  @Override
  public boolean isInputShutdown() {
    return !isOpen();
  }

  @Override
  public ChannelFuture shutdownInput() {
    return newSucceededFuture();
  }

  @Override
  public ChannelFuture shutdownInput(ChannelPromise promise) {
    return promise.setSuccess();
  }

  @Override
  public boolean isOutputShutdown() {
    return !isOpen();
  }

  @Override
  public ChannelFuture shutdownOutput() {
    return newSucceededFuture();
  }

  @Override
  public ChannelFuture shutdownOutput(ChannelPromise promise) {
    return promise.setSuccess();
  }

  @Override
  public boolean isShutdown() {
    return !isOpen();
  }

  @Override
  public ChannelFuture shutdown() {
    return newSucceededFuture();
  }

  @Override
  public ChannelFuture shutdown(ChannelPromise promise) {
    return promise.setSuccess();
  }
}
