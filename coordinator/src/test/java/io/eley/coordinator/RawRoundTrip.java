package io.eley.coordinator;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What this machine takes, at this moment, for the least that answers a message: one select, one
 * read, one write. Shared machines take between 20 and 50 microseconds for the very same.
 */
final class RawRoundTrip {
  private static final int SIZE = 64;
  private static final int WARM = 300;
  private static final int COUNTED = 300;
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(5);

  private RawRoundTrip() {}

  /** Nanoseconds of processor time for one, when each comes alone; takes three seconds. */
  static double nanos() throws Exception {
    try (var server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      var answered = new CompletableFuture<Long>();
      try (var client = SocketChannel.open(server.getLocalAddress());
          var accepted = server.accept()) {
        new Thread(() -> answer(accepted, answered), "raw-round-trip").start();
        var bytes = ByteBuffer.allocateDirect(SIZE);
        for (int i = 0; i < WARM + COUNTED; i++) {
          LockSupport.parkNanos(PAUSE);
          all(bytes.clear(), client, true);
          all(bytes.clear(), client, false);
        }
        return answered.get(1, TimeUnit.MINUTES) / (double) COUNTED;
      }
    }
  }

  private static void answer(SocketChannel channel, CompletableFuture<Long> answered) {
    try (var selector = Selector.open()) {
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ);
      var bytes = ByteBuffer.allocateDirect(SIZE);
      var threads = ManagementFactory.getThreadMXBean();
      long before = 0;
      for (int i = 0; i < WARM + COUNTED; i++) {
        if (i == WARM) {
          before = threads.getCurrentThreadCpuTime();
        }
        selector.select(key -> {});
        all(bytes.clear(), channel, false);
        all(bytes.clear(), channel, true);
      }
      answered.complete(threads.getCurrentThreadCpuTime() - before);
    } catch (IOException | RuntimeException e) {
      answered.completeExceptionally(e);
    }
  }

  private static void all(ByteBuffer bytes, SocketChannel channel, boolean write)
      throws IOException {
    while (bytes.hasRemaining()) {
      if ((write ? channel.write(bytes) : channel.read(bytes)) < 0) {
        throw new IOException("the other end is gone");
      }
    }
  }
}
