package io.eley.bb.api.client;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.BlockMessage.BlockData;
import io.eley.bb.api.wire.BlockMessage.ReadBlock;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Endpoints;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.Protection;
import io.eley.bb.api.wire.SecuredFrames;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One authenticated and protected connection. Several requests may be in flight; answers find their
 * request by its correlation.
 *
 * <p>Threads: any number of callers write, one at a time, and none waits behind another's payload
 * ({@link Outbox}). One daemon reader thread reads everything; it completes futures itself, so what
 * callers hang on them must not block. A block's payload goes from the socket into the requester's
 * own buffer.
 *
 * <p>End: {@link #close}, the peer, an error, or a peer that takes nothing of what is written to it
 * for too long, whichever comes first; then every request in flight fails with {@code UNAVAILABLE}
 * and every {@link #onClose} action runs once.
 */
public final class Connection implements AutoCloseable {
  private final SocketChannel channel;
  private final SecuredFrames frames;
  private final Outbox out;
  private final ConnectionOptions options;
  private final PushHandler pushes;
  private final String peer;
  private final boolean withinHost;
  private final Map<Long, Pending> pending = new ConcurrentHashMap<>();
  private final AtomicLong received = new AtomicLong();
  private final AtomicLong lateAnswers = new AtomicLong();
  private final AtomicLong correlations = new AtomicLong(FrameHeader.PUSH);
  private final List<Runnable> closeActions = new ArrayList<>();
  private @Nullable EleyException end;

  private Connection(
      SocketChannel channel, SecuredFrames frames, ConnectionOptions options, PushHandler pushes) {
    this.channel = channel;
    this.frames = frames;
    this.out = new Outbox(channel, frames.out(), options.stall());
    this.options = options;
    this.pushes = pushes;
    this.peer = String.valueOf(channel.socket().getRemoteSocketAddress());
    this.withinHost =
        new Endpoints(
                (InetSocketAddress) channel.socket().getLocalSocketAddress(),
                (InetSocketAddress) channel.socket().getRemoteSocketAddress())
            .sameHost();
  }

  /**
   * Connects and authenticates in both directions. Blocks within the options' time-out.
   *
   * @throws EleyException {@code UNAVAILABLE} when nobody answers or another process of the
   *     deployment than the one that was dialled, {@code UNAUTHENTICATED}, {@code INCOMPATIBLE},
   *     {@code INTERRUPTED}
   */
  public static Connection open(
      InetSocketAddress address,
      Credentials credentials,
      ConnectionOptions options,
      PushHandler pushes)
      throws EleyException {
    Dialled dialled = Dialled.to(address, credentials, options);
    var connection = new Connection(dialled.channel(), dialled.frames(), options, pushes);
    connection.startReader(address);
    return connection;
  }

  /**
   * Sends a request. The future fails with an {@link EleyException}; it is completed on the reader
   * thread.
   *
   * @throws IllegalArgumentException when the message is larger than a frame may be
   */
  public CompletableFuture<Message> request(Message message) {
    var future = new CompletableFuture<Message>();
    submit(message, new Pending.Call(future));
    return future;
  }

  /**
   * Sends a request with bytes of a file behind it. Blocks until they have left; the future is that
   * of {@link #request(Message)}. A file that turns out shorter than promised ends the connection,
   * and so does an interruption while they leave; before that it fails the future.
   *
   * @param stall how long the peer may take none of them; then the connection is ended
   */
  CompletableFuture<Message> request(Message message, FilePayload payload, Duration stall) {
    var future = new CompletableFuture<Message>();
    submit(
        new Pending.Call(future),
        correlation ->
            out.write(Codec.encode(message, correlation, payload.length()), payload, stall));
    return future;
  }

  /**
   * Sends a request and waits for the answer.
   *
   * @throws EleyException the peer's failure, {@code DEADLINE}, or {@code UNAVAILABLE}
   */
  public Message call(Message message, Duration deadline) throws EleyException {
    return Await.done(request(message), deadline, message.type() + " to " + peer());
  }

  /**
   * Sends a message that is not answered. Blocks while the socket is full, unless another thread
   * writes: then that one sends it.
   */
  public void send(Message message) throws EleyException {
    write(FrameHeader.PUSH, correlation -> out.write(Codec.encode(message, correlation)));
  }

  /**
   * Reads a range of a block into {@code target}, from its position on; the position does not move.
   * Blocks until the bytes are there, up to the deadline. Afterwards, whatever happened, nobody
   * writes to the target any more.
   *
   * @throws EleyException the node's failure, {@code DEADLINE}, {@code UNAVAILABLE}
   */
  public BlockReply read(ReadBlock request, ByteBuffer target, Duration deadline)
      throws EleyException {
    if (target.remaining() < request.length()) {
      throw new IllegalArgumentException(
          "a target of " + target.remaining() + " bytes for " + request);
    }
    Pending.Read read = begin(request, target, ArrivalListener.UNNOTICED);
    try {
      return Await.done(read.future(), deadline, "read from " + peer());
    } finally {
      if (!read.future().isDone()) {
        read.abandon(this::close);
      }
    }
  }

  /**
   * Reads a range of a block without waiting. The target must stay untouched until the future is
   * done; it fails, and the target is free again, when the connection ends.
   */
  public CompletableFuture<BlockReply> readBlock(ReadBlock request, ByteBuffer target) {
    return begin(request, target, ArrivalListener.UNNOTICED).future();
  }

  /** Sends a read; whoever gives it up must {@link Pending.Read#abandon} it. */
  Pending.Read begin(ReadBlock request, ByteBuffer target, ArrivalListener arrivals) {
    var read = new Pending.Read(request, target, arrivals);
    submit(request, read);
    return read;
  }

  /** Bytes received since the handshake, whatever they belong to; any thread. */
  long received() {
    return received.get();
  }

  /** Answers that came when their readers had given them up, and were thrown away; any thread. */
  long lateAnswers() {
    return lateAnswers.get();
  }

  /** Requests that wait for an answer; any thread. */
  int inFlight() {
    return pending.size();
  }

  /** Whether it was ended because the peer took nothing any more; any thread. */
  boolean stalled() {
    return out.stalled();
  }

  public boolean isOpen() {
    return reasonOfEnd() == null;
  }

  private @Nullable EleyException reasonOfEnd() {
    synchronized (closeActions) {
      return end;
    }
  }

  /**
   * Runs the action once when the connection has ended; at once, on this thread, if it has already.
   */
  public void onClose(Runnable action) {
    synchronized (closeActions) {
      if (end == null) {
        closeActions.add(action);
        return;
      }
    }
    action.run();
  }

  /** Whether both ends are on one host, so that only its kernel sees what is sent. */
  boolean withinHost() {
    return withinHost;
  }

  /** How what is sent is protected; any thread. */
  Protection protection() {
    return frames.out().protection();
  }

  /** Our own end's address, as the peer's network sees it unless it translates addresses. */
  public String localHost() {
    return channel.socket().getLocalAddress().getHostAddress();
  }

  /** The peer's name, for error messages. */
  public String peer() {
    return peer;
  }

  @Override
  public void close() {
    end(new EleyException(ErrorCode.UNAVAILABLE, "the connection to " + peer() + " was closed"));
  }

  private void submit(Message message, Pending request) {
    submit(request, correlation -> out.write(Codec.encode(message, correlation)));
  }

  private void submit(Pending request, Sending sending) {
    long correlation = correlations.incrementAndGet();
    pending.put(correlation, request);
    try {
      write(correlation, sending);
    } catch (EleyException e) {
      pending.remove(correlation);
      request.fail(e);
    } catch (RuntimeException | Error e) {
      pending.remove(correlation); // nobody would ever answer it
      throw e;
    }
    EleyException why = reasonOfEnd();
    if (why != null && pending.remove(correlation) != null) {
      request.fail(unavailable(why));
    }
  }

  /** One way to send a message. */
  private interface Sending {
    void as(long correlation) throws IOException;
  }

  private void write(long correlation, Sending sending) throws EleyException {
    try {
      sending.as(correlation);
    } catch (IOException e) {
      if (e instanceof EleyException ours && ours.code() == ErrorCode.INTERRUPTED) {
        throw ours; // nothing of it has left: the others go on
      }
      String how =
          out.stalled() ? peer() + " takes nothing any more: " : "cannot write to " + peer() + ": ";
      var why = new EleyException(ErrorCode.UNAVAILABLE, how + e, e);
      end(why);
      throw why;
    }
  }

  private void startReader(InetSocketAddress address) throws EleyException {
    var thread = new Thread(this::readUntilEnd, options.name());
    thread.setDaemon(true);
    try {
      thread.start();
    } catch (OutOfMemoryError e) {
      var why =
          new EleyException(
              ErrorCode.UNAVAILABLE, "cannot connect to " + address + ": " + e.getMessage(), e);
      end(why);
      throw why;
    }
  }

  private void readUntilEnd() {
    var in = new FrameInput(new CountedChannel(channel, received), frames.in());
    try {
      while (true) {
        FrameHeader header = in.header();
        Message message = in.message(header);
        if (message instanceof BlockData data) {
          readPayload(in, header, data);
        } else if (header.payloadLength() > 0) {
          throw new EleyException(ErrorCode.MALFORMED, "a payload behind " + message.type());
        } else {
          answer(header, message);
        }
      }
    } catch (EleyException e) {
      end(e);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      // Also when there is no memory for a frame: nobody else reads the answers behind it.
      end(
          new EleyException(
              ErrorCode.UNAVAILABLE, "the connection to " + peer() + " ended: " + e, e));
    }
  }

  private void answer(FrameHeader header, Message message) {
    if (header.correlation() == FrameHeader.PUSH) {
      pushes.pushed(message);
      return;
    }
    Pending request = pending.get(header.correlation());
    if (request != null && request.answered(message)) {
      pending.remove(header.correlation());
    }
  }

  private void readPayload(FrameInput in, FrameHeader header, BlockData data) throws IOException {
    int length = header.payloadLength();
    if (!(pending.get(header.correlation()) instanceof Pending.Read read)) {
      in.skip(length);
      return;
    }
    var target = read.begin(data, length);
    if (target.isEmpty()) {
      in.skip(length);
      if (data.last()) {
        lateAnswers.incrementAndGet();
        pending.remove(header.correlation());
      }
      return;
    }
    try {
      in.readPayload(target.get(), read::arrived);
    } finally {
      read.end();
    }
    if (read.filled(data, length)) {
      pending.remove(header.correlation());
    }
  }

  private void end(EleyException why) {
    List<Runnable> actions;
    synchronized (closeActions) {
      if (end != null) {
        return;
      }
      end = why;
      actions = List.copyOf(closeActions);
      closeActions.clear();
    }
    shutDown(why);
    Dialled.closeQuietly(channel, why);
    pending.values().removeIf(request -> failed(request, why));
    actions.forEach(Runnable::run);
  }

  /**
   * A read whose target is being written to is failed by the reader thread, once it has let go of
   * the target.
   */
  private static boolean failed(Pending request, EleyException why) {
    if (request instanceof Pending.Read read) {
      read.abandon(() -> {});
    }
    request.fail(unavailable(why));
    return true;
  }

  /**
   * Turns any failure into {@code UNAVAILABLE}, since a request may succeed on a new connection.
   */
  private static EleyException unavailable(EleyException why) {
    return why.code() == ErrorCode.UNAVAILABLE
        ? why
        : new EleyException(ErrorCode.UNAVAILABLE, String.valueOf(why.getMessage()), why);
  }

  /** Before it is closed: that alone would not end another thread's {@code sendfile(2)}. */
  private void shutDown(IOException why) {
    try {
      channel.shutdownOutput();
    } catch (IOException e) {
      why.addSuppressed(e);
    }
  }
}
