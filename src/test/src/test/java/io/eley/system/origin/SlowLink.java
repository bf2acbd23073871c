package io.eley.system.origin;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A way to a server on loopback that is as long as one to another site: whatever goes through
 * arrives later, in each direction. Counts what the server sends, and GETs. Any number of
 * connections, each with threads of its own.
 */
final class SlowLink implements AutoCloseable {
  /** Pieces on their way, of at most {@link #PIECE} bytes: what a window holds back. */
  private static final int UNDER_WAY = 64;

  private static final int PIECE = 64 << 10;
  private static final byte[] GET = "GET /".getBytes(StandardCharsets.ISO_8859_1);

  private final ServerSocket listening;
  private final InetSocketAddress server;
  private final Duration oneWay;
  private final AtomicLong received = new AtomicLong();
  private final AtomicLong gets = new AtomicLong();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  /** Bytes on their way; none of them when that end has nothing more to send. */
  private static final class Piece {
    private final long arrivesAt;
    private final byte[] bytes;

    Piece(long arrivesAt, byte[] bytes) {
      this.arrivesAt = arrivesAt;
      this.bytes = bytes;
    }
  }

  SlowLink(int serverPort, Duration oneWay) throws IOException {
    this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort);
    this.oneWay = oneWay;
    listening = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
    start("accepts", this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Bytes that the server has sent, headers included. */
  long received() {
    return received.get();
  }

  /** Requests for bytes or listings so far. */
  long gets() {
    return gets.get();
  }

  private static void start(String name, Runnable work) {
    var thread = new Thread(work, "slow-link-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        open.add(client);
        var far = new Socket();
        open.add(far);
        far.connect(server);
        client.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
        pass(client, far, true);
        pass(far, client, false);
      } catch (IOException e) {
        // Closed, or a client that is gone already.
      }
    }
  }

  private void pass(Socket from, Socket to, boolean requests) {
    BlockingQueue<Piece> underWay = new ArrayBlockingQueue<>(UNDER_WAY);
    start("takes", () -> take(from, underWay, requests));
    start("gives", () -> give(underWay, to, from));
  }

  private void take(Socket from, BlockingQueue<Piece> underWay, boolean requests) {
    byte[] buffer = new byte[PIECE];
    try {
      try {
        InputStream in = from.getInputStream();
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          byte[] bytes = Arrays.copyOf(buffer, n);
          count(bytes, requests);
          underWay.put(new Piece(System.nanoTime() + oneWay.toNanos(), bytes));
        }
      } finally {
        underWay.put(new Piece(System.nanoTime() + oneWay.toNanos(), new byte[0]));
      }
    } catch (IOException e) {
      // Its end tells the other side.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void count(byte[] bytes, boolean requests) {
    if (!requests) {
      received.addAndGet(bytes.length);
    } else if (bytes.length >= GET.length
        && Arrays.equals(bytes, 0, GET.length, GET, 0, GET.length)) {
      gets.incrementAndGet();
    }
  }

  private void give(BlockingQueue<Piece> underWay, Socket to, Socket from) {
    try {
      OutputStream out = to.getOutputStream();
      while (true) {
        Piece piece = underWay.take();
        TimeUnit.NANOSECONDS.sleep(piece.arrivesAt - System.nanoTime());
        if (piece.bytes.length == 0) {
          to.shutdownOutput();
          return;
        }
        out.write(piece.bytes);
      }
    } catch (IOException e) {
      close(from);
      close(to);
      underWay.clear(); // so that who fills it sees the end
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void close(Socket socket) {
    open.remove(socket);
    try {
      socket.close();
    } catch (IOException e) {
      // It is no use any more.
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    open.forEach(this::close);
  }
}
