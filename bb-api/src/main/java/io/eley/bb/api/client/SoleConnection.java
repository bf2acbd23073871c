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
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A connection that one reader at a time has to himself. Whoever waits for an answer takes it off
 * the socket: on a {@link Connection} another thread does, and must be woken, and wakes him. Where
 * tasks keep all cores busy each of these waits for its turn.
 *
 * <p>For one thread at a time, but for {@link #close} and {@link #isOpen}. A read that does not end
 * with an answer closes it, since the answer may be on its way: then all that were begun on it end.
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
  private final Map<Long, Pending.Read> underWay = new HashMap<>();
  private final List<ByteBuffer> leaving = new ArrayList<>();
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
   * Reads a range of a block into {@code target}: {@link #begin} and {@link #finish} in one, with
   * all that they say.
   */
  BlockReply read(ReadBlock request, ByteBuffer target, ArrivalListener arrivals, LiveWait wait)
      throws EleyException {
    return finish(begin(request, target, arrivals), wait);
  }

  /**
   * Asks for a range of a block, to be read into {@code target} from its position on; the position
   * does not move. The question leaves when an answer is waited for, with all that were added until
   * then; never blocks. Whatever read is waited for, the target may be written to meanwhile.
   */
  Pending.Read begin(ReadBlock request, ByteBuffer target, ArrivalListener arrivals) {
    var read = new Pending.Read(request, target, arrivals);
    add(request);
    underWay.put(correlation, read);
    return read;
  }

  /**
   * Waits for the answer to a read that was begun here. Blocks for as long as the node shows that
   * it lives, as {@link LiveWait} does. Afterwards nobody writes to its target any more.
   *
   * @throws EndedUnnoticedException when nothing has come, neither to the target nor to the
   *     listener: the node had closed the connection, perhaps long ago
   * @throws SilentPeerException when the node does not show that it lives
   * @throws EleyException the node's failure, after which other reads may follow; {@code DEADLINE};
   *     {@code UNAVAILABLE}; {@code INTERRUPTED}
   */
  BlockReply finish(Pending.Read read, LiveWait wait) throws EleyException {
    watch = new Watch(wait);
    long before = received;
    try {
      while (!read.future().isDone()) {
        requireOpen();
        flush();
        next();
      }
    } catch (EleyException e) {
      throw e;
    } catch (IOException | ClosedSelectorException | CancelledKeyException e) {
      // All three are a socket that somebody has closed: which, is decided by the moment.
      String what = "the connection to " + peer + " ended: " + e;
      throw received == before && read.untouched()
          ? new EndedUnnoticedException(what, e)
          : new EleyException(ErrorCode.UNAVAILABLE, what, e);
    } finally {
      if (!read.future().isDone()) {
        close();
      }
    }
    return Await.done(read.future(), Duration.ZERO, "read from " + peer);
  }

  /**
   * Sends the questions of {@link #begin}, without waiting for an answer. A failure closes this,
   * and {@link #finish} tells it as one of a connection that had ended.
   *
   * @param silence blocks for twice as long at most, where the node takes nothing
   */
  void leave(Duration silence) {
    watch = new Watch(new LiveWait(silence, silence, new LiveWait.Signs() {}));
    try {
      flush();
    } catch (IOException | ClosedSelectorException | CancelledKeyException e) {
      close();
    }
  }

  /** Whether answers may come that nobody has waited for. */
  boolean answersAreDue() {
    return !underWay.isEmpty();
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

  private void add(Message message) {
    leaving.add(Codec.encode(message, ++correlation));
  }

  /** After a read that ended without an answer, what is left of a frame is no beginning of one. */
  private void requireOpen() throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  private void flush() throws IOException {
    if (!leaving.isEmpty()) {
      out.write(leaving);
      leaving.clear();
    }
  }

  /** Takes a frame. */
  private void next() throws IOException {
    FrameHeader header = in.header();
    Message message = in.message(header);
    Pending.Read read = underWay.get(header.correlation());
    if (read != null && message instanceof BlockData data) {
      if (take(read, data, header.payloadLength())) {
        underWay.remove(header.correlation());
      }
      return;
    }
    if (header.payloadLength() > 0) {
      throw new EleyException(ErrorCode.MALFORMED, "a payload behind " + message.type());
    }
    if (read != null) {
      read.answered(message);
      underWay.remove(header.correlation());
    } else if (header.correlation() == watch.ping) {
      watch.alive(); // Others are of reads that were answered before their sign of life came.
    }
  }

  /** Takes a payload; says whether the read is answered with it. */
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
    private boolean drained = true;

    /** Does not ask a socket that had no more the last time before it has something to say. */
    @Override
    public int read(ByteBuffer target) throws IOException {
      while (true) {
        if (drained) {
          await(SelectionKey.OP_READ, watch.left());
        }
        int count = channel.read(target);
        drained = target.hasRemaining();
        received += Math.max(0, count);
        watch.look();
        if (count != 0) {
          return count;
        }
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
        add(new PingMessage());
        ping = correlation;
        flush();
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
