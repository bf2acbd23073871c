package io.eley.bb.api.client;

import io.eley.bb.api.wire.Endpoints;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A stranger's port that passes bytes on to another one, keeps them and may change them. Two
 * threads a connection.
 */
final class Relay implements AutoCloseable {
  /** What is done to the bytes of one direction, piece by piece as they come. */
  interface Meddler {
    /**
     * Changes bytes in place.
     *
     * @param offset of the first of them in its direction
     */
    void touch(long offset, byte[] bytes, int length);

    Meddler NONE = (offset, bytes, length) -> {};
  }

  private final ServerSocket listener;
  private final InetSocketAddress target;
  private final Meddler there;
  private final Meddler back;
  private final ByteArrayOutputStream seen = new ByteArrayOutputStream();
  private final AtomicInteger asked = new AtomicInteger();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final List<Endpoints> victims = new CopyOnWriteArrayList<>();

  Relay(InetSocketAddress target, Meddler there, Meddler back) throws IOException {
    this.target = target;
    this.there = there;
    this.back = back;
    listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    daemon(this::accept);
  }

  InetSocketAddress address() {
    return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
  }

  /** All that the target has answered. */
  byte[] seen() {
    synchronized (seen) {
      return seen.toByteArray();
    }
  }

  /** Bytes that the target was sent. */
  int asked() {
    return asked.get();
  }

  /** How many have connected. */
  int connections() {
    return victims.size();
  }

  /** The ends that the latest victim sees: what a server must be told to bear with a relay. */
  Endpoints latestVictim() {
    return victims.get(victims.size() - 1);
  }

  private void accept() {
    try {
      while (true) {
        Socket victim = listener.accept();
        victims.add(ScriptedServer.ends(victim));
        Socket server = new Socket(target.getAddress(), target.getPort());
        sockets.addAll(List.of(victim, server));
        daemon(() -> pass(victim, server, this::countAndTouch));
        daemon(() -> pass(server, victim, this::keepAndTouch));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void pass(Socket from, Socket to, Meddler meddler) {
    byte[] buffer = new byte[64 << 10];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      long offset = 0;
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        meddler.touch(offset, buffer, count);
        out.write(buffer, 0, count);
        offset += count;
      }
    } catch (IOException e) {
      // One side is gone, and so is the other.
    }
  }

  private void countAndTouch(long offset, byte[] bytes, int length) {
    asked.addAndGet(length);
    there.touch(offset, bytes, length);
  }

  private void keepAndTouch(long offset, byte[] bytes, int length) {
    synchronized (seen) {
      seen.write(bytes, 0, length);
    }
    back.touch(offset, bytes, length);
  }

  private static void daemon(Runnable work) {
    var thread = new Thread(work, "relay");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
