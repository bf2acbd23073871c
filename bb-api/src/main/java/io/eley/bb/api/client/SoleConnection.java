package io.eley.bb.api.client;

import io.eley.bb.api.client.LiveWait.SilentPeerException;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.BlockMessage.BlockData;
import io.eley.bb.api.wire.BlockMessage.ReadBlock;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.PingMessage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A connection that one reader at a time has to himself. Whoever waits for an answer takes it off
 * the socket: on a {@link Connection} another thread does, and must be woken, and wakes him. Where
 * tasks keep all cores busy each of these waits for its turn.
 *
 * <p>For one thread at a time, but for {@link #close} and {@link #isOpen}. A read that does not end
 * with an answer closes it, since the answer may be on its way.
 */
final class SoleConnection implements AutoCloseable {
  private static final LiveWait NOTHING =
      new LiveWait(Duration.ZERO, Duration.ZERO, new LiveWait.Signs() {});

  private final SocketChannel channel;
  private final Selector selector;
  private final SelectionKey key;
  private final FrameInput in;
  private final FrameOutput out;
  private final String peer;
  private long correlation = FrameHeader.PUSH;
  private long received;
  private Watch watch = new Watch(NOTHING);
  private volatile boolean closed;

  private SoleConnection(Dialled dialled, InetSocketAddress address) throws IOException {
    channel = dialled.channel();
    peer = String.valueOf(address);
    selector = Selector.open();
    var socket = new Socket();
    in = new FrameInput(socket, dialled.frames().in());
    out = new FrameOutput(socket, dialled.frames().out());
    channel.configureBlocking(false);
    key = channel.register(selector, SelectionKey.OP_READ);
  }

  /**
   * Connects and authenticates as {@link Connection#open} does.
   *
   * @throws EleyException as there
   */
  static SoleConnection open(
      InetSocketAddress address, Credentials credentials, ConnectionOptions options)
      throws EleyException {
    Dialled dialled = Dialled.to(address, credentials, options);
    try {
      return new SoleConnection(dialled, address);
    } catch (IOException e) {
      Dialled.closeQuietly(dialled.channel(), e);
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "cannot connect to " + address + ": " + e.getMessage(), e);
    }
  }

  /**
   * Reads a range of a block into {@code target}, from its position on; the position does not move.
   * Blocks for as long as the node shows that it lives, as {@link LiveWait} does. Afterwards nobody
   * writes to the target any more.
   *
   * @throws EndedUnnoticedException when nothing has come, neither to the target nor to the
   *     listener: the node had closed the connection, perhaps long ago
   * @throws SilentPeerException when the node does not show that it lives
   * @throws EleyException the node's failure, after which the next read may follow; {@code
   *     DEADLINE}; {@code UNAVAILABLE}; {@code INTERRUPTED}
   */
  BlockReply read(ReadBlock request, ByteBuffer target, ArrivalListener arrivals, LiveWait wait)
      throws EleyException {
    var read = new Pending.Read(request, target, arrivals);
    watch = new Watch(wait);
    long before = received;
    boolean answered = false;
    try {
      send(request);
      long id = correlation;
      while (!answered) {
        answered = next(read, id);
      }
    } catch (EleyException e) {
      throw e;
    } catch (IOException | ClosedSelectorException e) {
      String what = "the connection to " + peer + " ended: " + e;
      throw received == before
          ? new EndedUnnoticedException(what, e)
          : new EleyException(ErrorCode.UNAVAILABLE, what, e);
    } finally {
      if (!answered) {
        close();
      }
    }
    return Await.done(read.future(), Duration.ZERO, "read from " + peer);
  }

  boolean isOpen() {
    return !closed && channel.isOpen();
  }

  /** Any thread; whoever reads just now gets {@code UNAVAILABLE}. */
  @Override
  public void close() {
    closed = true;
    try (selector;
        channel) {
      // Both, whatever goes wrong with one of them.
    } catch (IOException e) {
      // It is of no use any more, closed or not.
    }
  }

  private void send(Message message) throws IOException {
    out.write(Codec.encode(message, ++correlation));
  }

  /** Takes a frame; says whether the read is answered with it. */
  private boolean next(Pending.Read read, long id) throws IOException {
    FrameHeader header = in.header();
    Message message = in.message(header);
    boolean ours = header.correlation() == id;
    if (ours && message instanceof BlockData data) {
      return take(read, data, header.payloadLength());
    }
    if (header.payloadLength() > 0) {
      throw new EleyException(ErrorCode.MALFORMED, "a payload behind " + message.type());
    }
    if (ours) {
      return read.answered(message);
    }
    if (header.correlation() == watch.ping) {
      watch.alive(); // Others are of reads that were answered before their sign of life came.
    }
    return false;
  }

  private boolean take(Pending.Read read, BlockData data, int length) throws IOException {
    ByteBuffer place = read.begin(data, length).orElseThrow();
    try {
      in.readPayload(place, read::arrived);
    } finally {
      read.end();
    }
    return read.filled(data, length);
  }

  /** The node had closed the connection before the read began, as far as one can see. */
  static final class EndedUnnoticedException extends EleyException {
    private static final long serialVersionUID = 1L;

    EndedUnnoticedException(String message, Exception cause) {
      super(ErrorCode.UNAVAILABLE, message, cause);
    }
  }

  /** The socket, which does not block, as one that blocks for as long as the node lives. */
  private final class Socket implements ByteChannel {
    @Override
    public int read(ByteBuffer target) throws IOException {
      while (true) {
        int count = channel.read(target);
        received += Math.max(0, count);
        watch.look();
        if (count != 0) {
          return count;
        }
        await(SelectionKey.OP_READ, watch.left());
      }
    }

    /** A request is small and the socket empty before it, so hardly ever is there no room. */
    @Override
    public int write(ByteBuffer source) throws IOException {
      long until = System.nanoTime() + 2 * watch.wait.silence().toNanos();
      int count = channel.write(source);
      while (count == 0 && source.hasRemaining()) {
        long left = until - System.nanoTime();
        if (left <= 0) {
          throw new SilentPeerException(peer + " takes nothing any more");
        }
        await(SelectionKey.OP_WRITE, left);
        count = channel.write(source);
      }
      return count;
    }

    private void await(int operation, long nanos) throws IOException {
      if (key.interestOps() != operation) {
        key.interestOps(operation);
      }
      selector.select(ready -> {}, Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
      if (Thread.currentThread().isInterrupted()) {
        throw new EleyException(ErrorCode.INTERRUPTED, "interrupted: read from " + peer);
      }
    }

    @Override
    public boolean isOpen() {
      return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  /** What {@link LiveWait} asks beside another thread's reading, for who reads himself. */
  private final class Watch {
    private final LiveWait wait;
    private final long began = System.nanoTime();
    private long lookAt;
    private boolean asked;
    private long ping = -1;
    private long receivedThen;

    Watch(LiveWait wait) {
      this.wait = wait;
      lookAt = began + wait.silence().toNanos();
    }

    /** Nanoseconds until the next look. */
    long left() {
      return Math.min(lookAt, began + wait.deadline().toNanos()) - System.nanoTime();
    }

    /** Asks for a sign of life, or requires it, when it is time to. */
    void look() throws IOException {
      long now = System.nanoTime();
      if (now - began >= wait.deadline().toNanos()) {
        throw new EleyException(
            ErrorCode.DEADLINE,
            "no answer within " + wait.deadline().toMillis() + " ms: read from " + peer);
      }
      if (now - lookAt < 0) {
        return;
      }
      if (asked) {
        wait.requireMoved(received - receivedThen, "read from " + peer);
      } else {
        wait.signs().asked();
        receivedThen = received;
        send(new PingMessage());
        ping = correlation;
      }
      asked = !asked;
      lookAt = now + wait.silence().toNanos();
    }

    /** The node has said that it lives. */
    void alive() {
      wait.signs().alive();
      asked = false;
      lookAt = System.nanoTime() + wait.silence().toNanos();
    }
  }
}
