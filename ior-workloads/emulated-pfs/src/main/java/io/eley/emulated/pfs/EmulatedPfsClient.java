package io.eley.emulated.pfs;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Endpoints;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.Handshake;
import io.eley.bb.api.wire.HandshakeMessage;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.ReplyMessage;
import io.eley.bb.api.wire.Secret;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection to the emulated PFS. Safe for several threads: each may wait for its own
 * grant at the same time.
 *
 * <p>Once the connection has failed, every call waiting and every later one gets {@code
 * ORIGIN_FAILED} naming the address; there is no reconnecting, since a parallel file system that
 * went away mid-experiment spoils the experiment. It uses a plain socket, because a channel is
 * closed for everybody when one waiting thread is interrupted.
 */
public final class EmulatedPfsClient implements AutoCloseable {
  private static final Duration CONNECT_DEADLINE = Duration.ofSeconds(10);

  /** Far beyond any queue an experiment builds up; only a frozen process lets it pass. */
  private static final Duration GRANT_DEADLINE = Duration.ofMinutes(2);

  private final InetSocketAddress address;
  private final Duration grantDeadline;
  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;
  private final AtomicLong correlations = new AtomicLong();
  private final AtomicLong streams = new AtomicLong();
  private final ConcurrentHashMap<Long, CompletableFuture<PfsMessage>> waiting =
      new ConcurrentHashMap<>();
  private volatile @Nullable EleyException failure;

  private EmulatedPfsClient(
      InetSocketAddress address, Socket socket, DataInputStream in, Duration grantDeadline)
      throws IOException {
    this.address = address;
    this.socket = socket;
    this.in = in;
    this.out = socket.getOutputStream();
    this.grantDeadline = grantDeadline;
  }

  /**
   * Connects, authenticates both ways and introduces itself. Blocks for at most ten seconds.
   *
   * @param client label in the trace, at most 64 bytes
   * @throws EleyException {@code UNAUTHENTICATED} on another secret, {@code ORIGIN_FAILED} when
   *     nobody answers
   */
  public static EmulatedPfsClient connect(InetSocketAddress address, Secret secret, String client)
      throws EleyException {
    return connect(address, secret, client, GRANT_DEADLINE);
  }

  static EmulatedPfsClient connect(
      InetSocketAddress address, Secret secret, String client, Duration deadline)
      throws EleyException {
    var socket = new Socket();
    try {
      int millis = (int) Math.min(deadline.toMillis(), CONNECT_DEADLINE.toMillis());
      socket.connect(address, millis);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(millis);
      var in =
          new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream(), 64 << 10));
      authenticate(socket, in, secret);
      socket.setSoTimeout(0);
      var connected = new EmulatedPfsClient(address, socket, in, deadline);
      connected.write(PfsMessage.encode(new PfsMessage.Introduce(client)));
      var reader = new Thread(connected::read, "pfs-client-" + client);
      reader.setDaemon(true);
      reader.start();
      return connected;
    } catch (IOException e) {
      closeQuietly(socket);
      if (e instanceof EleyException ours) {
        throw ours;
      }
      throw new EleyException(
          ErrorCode.ORIGIN_FAILED,
          "no emulated PFS answers at " + text(address) + " (" + e.getMessage() + ")",
          e);
    }
  }

  /** A number for a new stream, for example an open file; unique within this connection. */
  public long newStream() {
    return streams.incrementAndGet();
  }

  /**
   * Asks for leave to move bytes and waits for it.
   *
   * @param stream from {@link #newStream}; streams get equal shares
   * @param cause recorded in the trace, at most 64 bytes
   * @param bytes zero to 1 MiB; zero costs the latency
   * @throws EleyException {@code ORIGIN_FAILED} when the process has gone or has not answered for
   *     two minutes; {@code UNAVAILABLE} when the thread was interrupted (the flag is set again)
   */
  public void grant(long stream, String cause, PfsOperation operation, int bytes)
      throws EleyException {
    long correlation = correlations.incrementAndGet();
    ask(correlation, new PfsMessage.Request(correlation, stream, cause, operation, bytes));
  }

  /**
   * Everything the process remembers having granted, to anybody, up to now. Blocks for some
   * milliseconds per ten thousand events.
   */
  public List<PfsEvent> trace() throws EleyException {
    return traceFrom(0).events();
  }

  /**
   * The record from a sequence number on.
   *
   * @return its {@code first} is larger than {@code from} when older events are forgotten already
   */
  public PfsTrace traceFrom(long from) throws EleyException {
    PfsTrace page = page(from);
    long first = page.first();
    long end = page.recorded();
    var events = new ArrayList<>(page.events());
    while (page.next() < end) {
      long next = page.next();
      page = page(next);
      if (page.first() != next) {
        throw new EleyException(
            ErrorCode.ORIGIN_FAILED, "the emulated PFS forgot grants while they were fetched");
      }
      events.addAll(page.events());
    }
    return new PfsTrace(first, page.recorded(), events);
  }

  /** Closes the connection; calls that wait get {@code ORIGIN_FAILED}. */
  @Override
  public void close() {
    closeQuietly(socket);
  }

  private PfsTrace page(long from) throws EleyException {
    long correlation = correlations.incrementAndGet();
    PfsMessage answer = ask(correlation, new PfsMessage.TraceRequest(correlation, from));
    if (answer instanceof PfsMessage.TracePage page) {
      return page.trace();
    }
    throw gone("it answered with another message");
  }

  private PfsMessage ask(long correlation, PfsMessage question) throws EleyException {
    var answer = new CompletableFuture<PfsMessage>();
    waiting.put(correlation, answer);
    try {
      EleyException failed = failure;
      if (failed != null) {
        throw new EleyException(failed.code(), String.valueOf(failed.getMessage()), failed);
      }
      write(PfsMessage.encode(question));
      return answer.get(grantDeadline.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "interrupted while waiting for the emulated PFS", e);
    } catch (TimeoutException e) {
      throw gone("it has not answered for " + grantDeadline.toMillis() + " ms");
    } catch (ExecutionException e) {
      // A new one, with this thread's stack: several threads may get the same failure.
      Throwable cause = Objects.requireNonNull(e.getCause());
      throw new EleyException(ErrorCode.ORIGIN_FAILED, String.valueOf(cause.getMessage()), cause);
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw gone(e.getMessage());
    } finally {
      waiting.remove(correlation);
    }
  }

  private void write(ByteBuffer frame) throws IOException {
    synchronized (out) {
      out.write(frame.array(), frame.arrayOffset() + frame.position(), frame.remaining());
    }
  }

  private void read() {
    String why = "it closed the connection";
    try {
      while (true) {
        int length = in.readInt();
        if (length < 1 || length > PfsMessage.MAX_SERVER_FRAME) {
          throw new IOException("a frame of " + Integer.toUnsignedString(length) + " bytes");
        }
        deliver(PfsMessage.decode(ByteBuffer.wrap(in.readNBytes(length))));
      }
    } catch (SocketException e) {
      why = "the connection was closed";
    } catch (java.io.EOFException e) {
      why = "it closed the connection";
    } catch (IOException e) {
      why = e.getMessage();
    } finally {
      EleyException failed = gone(why);
      failure = failed;
      closeQuietly(socket);
      // Whoever registers after this sees the failure before waiting.
      waiting.values().forEach(answer -> answer.completeExceptionally(failed));
    }
  }

  private void deliver(PfsMessage message) {
    long correlation =
        message instanceof PfsMessage.Granted granted
            ? granted.correlation()
            : message instanceof PfsMessage.TracePage page ? page.correlation() : -1;
    var answer = waiting.get(correlation);
    if (answer != null) {
      answer.complete(message);
    }
  }

  private EleyException gone(@Nullable String why) {
    return new EleyException(
        ErrorCode.ORIGIN_FAILED, "the emulated PFS at " + text(address) + " has failed: " + why);
  }

  private static void authenticate(Socket socket, DataInputStream in, Secret secret)
      throws IOException {
    OutputStream out = socket.getOutputStream();
    var ends =
        new Endpoints(
            (InetSocketAddress) socket.getLocalSocketAddress(),
            (InetSocketAddress) socket.getRemoteSocketAddress());
    var half =
        new Handshake.Client(new Credentials(secret, Identity.CLIENT), Identity.ORIGIN, ends);
    send(out, half.hello());
    if (!(receive(in) instanceof HandshakeMessage.Challenge challenge)) {
      throw new EleyException(ErrorCode.MALFORMED, "no challenge from the emulated PFS");
    }
    send(out, half.respond(challenge).proof());
    receive(in);
  }

  private static void send(OutputStream out, Message message) throws IOException {
    ByteBuffer frame = Codec.encode(message, 1);
    out.write(frame.array(), frame.arrayOffset() + frame.position(), frame.remaining());
  }

  private static Message receive(DataInputStream in) throws IOException {
    byte[] start = new byte[FrameHeader.BYTES];
    in.readFully(start);
    // A refusal may quote more than a stranger may send us, but it is still one line.
    var header = FrameHeader.decode(ByteBuffer.wrap(start), 2 * FrameHeader.MAX_HANDSHAKE_BODY);
    byte[] body = new byte[header.bodyLength()];
    in.readFully(body);
    Message message = Codec.decode(header, ByteBuffer.wrap(body));
    if (message instanceof ReplyMessage.Failure failure) {
      throw failure.toException();
    }
    return message;
  }

  private static String text(InetSocketAddress address) {
    return address.getHostString() + ":" + address.getPort();
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing can be done, and nothing depends on it.
    }
  }
}
