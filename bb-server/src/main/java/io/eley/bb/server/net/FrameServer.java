package io.eley.bb.server.net;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Credentials;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import jdk.net.ExtendedSocketOptions;

/**
 * A TCP server that speaks frames: one per process. Framing, handshake, protection and
 * back-pressure happen here; a {@link SessionHandler} sees authenticated peers and well-formed
 * messages only.
 *
 * <p>Transport is the JDK's own selector: its {@code transferTo} is sendfile(2) as well, so the
 * native transport would add a library for each platform and take no copy away.
 */
public final class FrameServer implements AutoCloseable {
  private static final int BACKLOG = 1024;

  /**
   * A peer whose host lost its power says nothing, not even farewell. The kernel's usual two hours
   * are long for what a peer holds here, such as a lease or an application's room; it is asked for
   * life after 10 s of silence, and given up 20 s later. Its kernel answers, however busy it is.
   */
  private static final int KEEP_ALIVE_IDLE_SECONDS = 10;

  private static final int KEEP_ALIVE_INTERVAL_SECONDS = 5;
  private static final int KEEP_ALIVE_COUNT = 4;

  private final ChannelGroup sessions = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
  private final Gatekeeper gatekeeper;
  private final Channel listening;
  private final Runnable afterwards;

  private FrameServer(
      FrameServerOptions options,
      IoThreads threads,
      Keys keys,
      SessionHandler handler,
      Runnable afterwards)
      throws EleyException {
    this.afterwards = afterwards;
    gatekeeper = new Gatekeeper(options.limits().maxUnauthenticated());
    ChannelFuture bound =
        new ServerBootstrap()
            .group(threads.loops())
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(
                NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE), KEEP_ALIVE_IDLE_SECONDS)
            .childOption(
                NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPINTERVAL),
                KEEP_ALIVE_INTERVAL_SECONDS)
            .childOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPCOUNT), KEEP_ALIVE_COUNT)
            .childOption(ChannelOption.MESSAGE_SIZE_ESTIMATOR, new RegionSizes())
            .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, marks(options))
            .handler(new AcceptGuard())
            .childHandler(new Initializer(options, keys, handler))
            .bind(new InetSocketAddress(options.host(), options.port()))
            .awaitUninterruptibly();
    listening = bound.channel();
    if (!bound.isSuccess()) {
      afterwards.run();
      throw new EleyException(
          ErrorCode.UNAVAILABLE,
          "cannot listen on "
              + options.host()
              + ":"
              + options.port()
              + ": "
              + reason(bound.cause())
              + "; choose another port, or 0 for any free one",
          bound.cause());
    }
  }

  /**
   * Starts to listen. Blocks until the port is open.
   *
   * @throws EleyException {@code UNAVAILABLE} when it cannot be opened, naming it
   */
  public static FrameServer start(
      FrameServerOptions options, Credentials credentials, SessionHandler handler)
      throws EleyException {
    var threads = IoThreads.of(options.name() + "-io", options.ioThreads());
    var keys = new Keys(credentials, KeyRing.NONE);
    return new FrameServer(options, threads, keys, handler, threads::close);
  }

  /**
   * Starts to listen on threads that belong to the caller, who closes them after this server.
   * Blocks until the port is open.
   *
   * @throws EleyException {@code UNAVAILABLE} when it cannot be opened, naming it
   */
  public static FrameServer start(
      FrameServerOptions options,
      IoThreads threads,
      Credentials credentials,
      SessionHandler handler)
      throws EleyException {
    return start(options, threads, new Keys(credentials, KeyRing.NONE), handler);
  }

  /**
   * How clients are recognised.
   *
   * @param own of clients that name no key
   * @param ring of the others
   */
  public record Keys(Credentials own, KeyRing ring) {}

  /**
   * The same for clients that have keys of their own; a {@link Session} tells which.
   *
   * @throws EleyException {@code UNAVAILABLE} when the port cannot be opened, naming it
   */
  public static FrameServer start(
      FrameServerOptions options, IoThreads threads, Keys keys, SessionHandler handler)
      throws EleyException {
    return new FrameServer(options, threads, keys, handler, () -> {});
  }

  /** The port it listens on. */
  public int port() {
    return ((InetSocketAddress) listening.localAddress()).getPort();
  }

  /** Connections that are open, authenticated or not. */
  public int connections() {
    return sessions.size();
  }

  /** Connections that are not authenticated yet. */
  int unauthenticated() {
    return gatekeeper.waiting();
  }

  /**
   * Stops listening, ends all sessions (their handlers are notified by {@code closed}) and waits
   * for its own threads. Blocks for a few seconds at most; must not be called on an event loop,
   * which cannot wait for itself.
   */
  @Override
  public void close() {
    listening.close().awaitUninterruptibly();
    sessions.close().awaitUninterruptibly();
    afterwards.run();
  }

  private static WriteBufferWaterMark marks(FrameServerOptions options) {
    var sending = options.limits().sending();
    return new WriteBufferWaterMark(sending.lowBytes(), sending.highBytes());
  }

  private static String reason(Throwable cause) {
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }

  private final class Initializer extends ChannelInitializer<SocketChannel> {
    private final FrameServerOptions options;
    private final Keys keys;
    private final SessionHandler handler;

    Initializer(FrameServerOptions options, Keys keys, SessionHandler handler) {
      this.options = options;
      this.keys = keys;
      this.handler = handler;
    }

    @Override
    protected void initChannel(SocketChannel channel) {
      sessions.add(channel);
      var limits = options.limits();
      var stalled = limits.sending().stalled().toMillis();
      var decoder = new FrameDecoder();
      channel.config().setRecvByteBufAllocator(new ReceiveSizes(decoder::awaitedBytes));
      channel
          .pipeline()
          .addLast(new IdleStateHandler(true, 0, stalled, 0, TimeUnit.MILLISECONDS))
          .addLast(decoder)
          .addLast(
              new HandshakeHandler(
                  keys.own(),
                  keys.ring(),
                  limits.handshake(),
                  gatekeeper,
                  (sealer, key) -> new SessionChannel(handler, limits.sending(), sealer, key)));
    }
  }
}
