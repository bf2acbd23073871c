package io.eley.bb.server.net;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Event loops: each thread serves a part of the connections. A server whose work is short and never
 * blocks can do it there too, and save two changes of thread for each message.
 */
public final class IoThreads implements AutoCloseable {
  private final EventLoopGroup loops;

  private IoThreads(EventLoopGroup loops) {
    this.loops = loops;
  }

  /**
   * Event loops with their threads, which start here: later the system may give none.
   *
   * @param name of the threads, before their number
   * @param count at least 1
   */
  public static IoThreads of(String name, int count) {
    var loops =
        new MultiThreadIoEventLoopGroup(
            count, new DefaultThreadFactory(name, true), NioIoHandler.newFactory());
    loops.forEach(loop -> loop.execute(() -> {}));
    return new IoThreads(loops);
  }

  /** One of the threads, for work that never blocks: connections stand still meanwhile. */
  public ScheduledExecutorService one() {
    return loops.next();
  }

  EventLoopGroup loops() {
    return loops;
  }

  /** Drops what waits, and waits for what is under way, for a few seconds at most. */
  @Override
  public void close() {
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
