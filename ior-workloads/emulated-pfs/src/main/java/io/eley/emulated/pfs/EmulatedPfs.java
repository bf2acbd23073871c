package io.eley.emulated.pfs;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Secret;
import io.eley.ior.ClockReading;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The emulated PFS: a server that moves no data. Clients do their I/O on the directory behind it
 * themselves, but ask it for leave before each request, and it lets all of them together move no
 * more than its capacity (see {@link GrantScheduler} for who is next). Every grant is recorded, so
 * the process is the independent witness of who moved how many bytes when.
 *
 * <p>Two threads: {@code pfs-net} takes requests off all connections and hands them to the
 * scheduler; {@code pfs-grants} sleeps until the next grant is due and sends it. The scheduler is
 * guarded by its own monitor, and nothing is sent while it is held. Neither thread blocks on a
 * client. Listens on 127.0.0.1 only; every connection proves that it knows the secret.
 */
public final class EmulatedPfs implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmulatedPfs.class);
  private static final int MAX_CONNECTIONS = 1024;

  private final Secret secret;
  private final GrantTrace trace;
  private final GrantScheduler<Pending> scheduler;
  private final ServerSocketChannel listening;
  private final Selector selector;
  private final Thread network = new Thread(this::serve, "pfs-net");
  private final Thread granter = new Thread(this::grant, "pfs-grants");
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Touched by the network thread only. */
  private final Map<SelectionKey, PfsConnection> connections = new HashMap<>();

  /** Turns the monotonic clock into time of day; read once, so the record never jumps. */
  private final long epochMicrosAtZero = epochMicrosAtZero();

  private EmulatedPfs(EmulatedPfsOptions options) throws IOException {
    secret = options.secret();
    trace = new GrantTrace(options.traceLimit());
    scheduler =
        new GrantScheduler<>(
            options.bytesPerSecond(),
            options.streamBytesPerSecond(),
            options.latency().toNanos(),
            PfsMessage.MAX_REQUEST_BYTES);
    selector = Selector.open();
    listening = ServerSocketChannel.open();
    listening.bind(
        new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), options.port()));
    listening.configureBlocking(false);
    listening.register(selector, SelectionKey.OP_ACCEPT);
  }

  /**
   * Listens and starts the two threads.
   *
   * @throws EleyException {@code UNAVAILABLE} when the port is taken
   */
  public static EmulatedPfs start(EmulatedPfsOptions options) throws EleyException {
    try {
      var pfs = new EmulatedPfs(options);
      pfs.network.setDaemon(true);
      pfs.granter.setDaemon(true);
      pfs.network.start();
      pfs.granter.start();
      return pfs;
    } catch (BindException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE,
          "port " + options.port() + " of 127.0.0.1 is in use; choose another or 0 for a free one",
          e);
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "cannot start the emulated PFS: " + e.getMessage(), e);
    }
  }

  private static long epochMicrosAtZero() {
    ClockReading now = ClockReading.now();
    return now.epochMicros() - now.nanos() / 1000;
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return new InetSocketAddress(
        listening.socket().getInetAddress(), listening.socket().getLocalPort());
  }

  /** What was granted so far, as far as it is remembered. */
  public PfsTrace trace() {
    return trace.page(0, Integer.MAX_VALUE);
  }

  /** Closes every connection and ends both threads. May be called twice. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    selector.wakeup();
    LockSupport.unpark(granter);
    try {
      network.join();
      granter.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void serve() {
    try (selector;
        listening) {
      while (!closed.get()) {
        selector.select();
        for (var key : selector.selectedKeys()) {
          handle(key);
        }
        selector.selectedKeys().clear();
        dropDeadKeys();
      }
    } catch (IOException e) {
      LOG.error("the emulated PFS stops serving: {}", e.toString());
    } finally {
      connections.values().forEach(PfsConnection::close);
    }
  }

  void handle(SelectionKey key) throws IOException {
    int ready = ready(key);
    if ((ready & SelectionKey.OP_ACCEPT) != 0) {
      accept();
      return;
    }
    PfsConnection connection = connections.get(key);
    if (connection == null) {
      return;
    }
    boolean alive = (ready & SelectionKey.OP_READ) == 0 || connection.readable();
    if (alive && (ready & SelectionKey.OP_WRITE) != 0) {
      alive = connection.writable();
    }
    if (!alive) {
      connection.close();
    }
  }

  /** Nothing of a connection that the other thread has closed; it may do so at any moment. */
  private static int ready(SelectionKey key) {
    try {
      return key.readyOps();
    } catch (CancelledKeyException e) {
      return 0;
    }
  }

  private void accept() throws IOException {
    SocketChannel channel = listening.accept();
    if (channel == null) {
      return;
    }
    if (connections.size() >= MAX_CONNECTIONS) {
      channel.close();
      return;
    }
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    var key = channel.register(selector, SelectionKey.OP_READ);
    connections.put(key, new PfsConnection(channel, key, secret, this::received));
  }

  /** Connections may be closed by either thread; what they had queued is forgotten here. */
  private void dropDeadKeys() {
    connections
        .entrySet()
        .removeIf(
            entry -> {
              if (entry.getKey().isValid() && entry.getKey().channel().isOpen()) {
                return false;
              }
              synchronized (scheduler) {
                scheduler.forget(s -> s instanceof Stream x && x.connection == entry.getValue());
              }
              return true;
            });
  }

  private void received(PfsConnection connection, PfsMessage message) throws EleyException {
    if (message instanceof PfsMessage.Request request) {
      synchronized (scheduler) {
        scheduler.submit(
            System.nanoTime(),
            new Stream(connection, request.stream()),
            new Pending(connection, request),
            request.bytes());
      }
      LockSupport.unpark(granter);
    } else if (message instanceof PfsMessage.TraceRequest request) {
      var page = trace.page(request.from(), PfsMessage.PAGE_EVENTS);
      connection.send(new PfsMessage.TracePage(request.correlation(), page));
    } else {
      throw new EleyException(ErrorCode.MALFORMED, "not a client's message");
    }
  }

  private void grant() {
    while (!closed.get()) {
      List<GrantScheduler.Grant<Pending>> due;
      long waitNanos;
      synchronized (scheduler) {
        long now = System.nanoTime();
        due = scheduler.due(now);
        waitNanos = scheduler.nextNanos().orElse(now + Long.MAX_VALUE / 2) - now;
      }
      for (var grant : due) {
        var request = grant.request().request;
        var connection = grant.request().connection;
        trace.record(
            epochMicrosAtZero + grant.atNanos() / 1000,
            connection.client(),
            request.cause(),
            request.operation(),
            request.bytes());
        connection.send(new PfsMessage.Granted(request.correlation()));
      }
      if (due.isEmpty() && waitNanos > 0) {
        LockSupport.parkNanos(this, waitNanos);
      }
    }
  }

  private record Pending(PfsConnection connection, PfsMessage.Request request) {}

  /** The key of a stream; connections are compared by identity. */
  private record Stream(PfsConnection connection, long number) {}
}
