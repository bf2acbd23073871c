package io.eley.benchmarks;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/**
 * The limit of a read over TCP: a thread that answers twelve bytes (position, length) with that
 * part of a file by sendfile(2), and nothing else; and the socket that asks it. Kernel defaults for
 * the sockets' buffers, which were measured to be no slower than fixed ones.
 */
final class RawSender implements AutoCloseable {
  private static final int REQUEST = 12;

  private final FileChannel file;
  private final SocketChannel asking;
  private final SocketChannel answering;
  private final Thread thread;
  private final ByteBuffer request = ByteBuffer.allocateDirect(REQUEST);

  RawSender(Path path) throws IOException {
    file = FileChannel.open(path);
    try (var listening = ServerSocketChannel.open()) {
      listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      asking = SocketChannel.open(listening.getLocalAddress());
      answering = listening.accept();
    }
    asking.setOption(StandardSocketOptions.TCP_NODELAY, true);
    answering.setOption(StandardSocketOptions.TCP_NODELAY, true);
    thread = new Thread(this::serve, "raw-sender");
    thread.setDaemon(true);
    thread.start();
  }

  /** Fills the target with the file's bytes from a position on. */
  void read(long position, ByteBuffer target) throws IOException {
    request.clear().putLong(position).putInt(target.remaining()).flip();
    while (request.hasRemaining()) {
      asking.write(request);
    }
    fill(asking, target);
  }

  private void serve() {
    var asked = ByteBuffer.allocateDirect(REQUEST);
    try {
      while (true) {
        fill(answering, asked.clear());
        send(asked.getLong(0), asked.getInt(Long.BYTES));
      }
    } catch (EOFException | ClosedChannelException e) {
      // The end of the benchmark.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void send(long position, int length) throws IOException {
    long end = position + length;
    for (long at = position; at < end; ) {
      at += file.transferTo(at, end - at, answering);
    }
  }

  private static void fill(SocketChannel from, ByteBuffer target) throws IOException {
    while (target.hasRemaining()) {
      if (from.read(target) < 0) {
        throw new EOFException();
      }
    }
  }

  @Override
  public void close() throws IOException {
    asking.close();
    answering.close();
    file.close();
  }
}
