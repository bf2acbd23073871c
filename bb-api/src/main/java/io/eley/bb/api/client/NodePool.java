package io.eley.bb.api.client;

import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Credentials;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The connections to one node, opened when they are needed: some that all share, used in turn, and
 * four times as many that one reader at a time has to himself. A node that cannot be reached is
 * left alone for a back-off. Safe for several threads; connecting blocks those that need that node.
 */
final class NodePool implements AutoCloseable {
  /** For each that is shared: as many as there are processors, so as tasks, by default. */
  private static final int SOLES = 4;

  /** Those that nobody has needed for so long are left of a peak. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final NodeAddress node;
  private final NodeCredentials credentials;
  private final Duration connectTimeout;
  private final Duration stall;
  private final AtomicReferenceArray<Connection> connections;
  private final Set<SoleConnection> soles = ConcurrentHashMap.newKeySet();
  private final Deque<Idle> idle = new ConcurrentLinkedDeque<>();
  private final Backoff backoff;
  private final ReentrantLock lock = new ReentrantLock();
  private int next;
  private volatile boolean closed;

  private record Idle(SoleConnection connection, long since) {}

  /**
   * A pool without a connection.
   *
   * @param size how many are shared
   * @param stall see {@link ConnectionOptions}
   */
  NodePool(
      NodeAddress node,
      NodeCredentials credentials,
      int size,
      Duration connectTimeout,
      Duration stall) {
    this(node, credentials, size, connectTimeout, stall, Backoff.live());
  }

  /** The same with another way to reckon when the node is tried again. */
  NodePool(
      NodeAddress node,
      NodeCredentials credentials,
      int size,
      Duration connectTimeout,
      Duration stall,
      Backoff backoff) {
    this.backoff = backoff;
    this.node = node;
    this.credentials = credentials;
    this.connectTimeout = connectTimeout;
    this.stall = stall;
    connections = new AtomicReferenceArray<>(size);
  }

  NodeAddress node() {
    return node;
  }

  /**
   * An open connection. While the node is suspect, one caller at a time gets one, and the others
   * learn at once that they do not. Whoever waits while another one dials, waits for no longer than
   * it has patience.
   *
   * @throws EleyException {@code UNAVAILABLE}, at once while the node is being left alone; {@code
   *     INTERRUPTED}
   */
  Connection connection(Patience patience) throws EleyException {
    requireReady(backoff.ready());
    Turns.take(lock, patience.within(connectTimeout), "node " + node.id());
    try {
      requireOpen();
      requireReady(backoff.admit());
      next = (next + 1) % connections.length();
      Connection current = connections.get(next);
      return current != null && current.isOpen() ? current : connect(patience);
    } finally {
      lock.unlock();
    }
  }

  /**
   * A connection for the caller alone, who is to {@link #giveBack} it. Waits for nobody else.
   *
   * @return empty when all are lent, when another caller dials, or while the node is suspect: then
   *     take a shared one
   * @throws EleyException {@code UNAVAILABLE} when it had to be dialled and the node cannot be
   *     reached; {@code INTERRUPTED} meanwhile
   */
  Optional<SoleConnection> sole(Patience patience) throws EleyException {
    if (closed || backoff.suspect()) {
      return Optional.empty();
    }
    Idle known = idle.pollFirst();
    if (known != null) {
      return Optional.of(known.connection);
    }
    if (!soleMayBeAdded() || !lock.tryLock()) {
      return Optional.empty();
    }
    try {
      return soleMayBeAdded() ? Optional.of(dialSole(patience)) : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private boolean soleMayBeAdded() {
    return soles.size() < SOLES * connections.length();
  }

  /** Takes back what {@link #sole} has lent: the latest is lent first, so that the rest can go. */
  void giveBack(SoleConnection sole) {
    if (sole.answersAreDue()) {
      sole.close();
    }
    if (sole.isOpen()) {
      idle.addFirst(new Idle(sole, backoff.nanoTime()));
    } else {
      soles.remove(sole);
    }
    closeLongIdle();
    if (closed) {
      closeSoles();
    }
  }

  private void closeLongIdle() {
    for (Idle last = idle.peekLast();
        last != null && backoff.nanoTime() - last.since >= IDLE_NANOS;
        last = idle.peekLast()) {
      if (idle.removeLastOccurrence(last)) { // else it was lent meanwhile
        last.connection.close();
        soles.remove(last.connection);
      }
    }
  }

  private void closeSoles() {
    soles.forEach(SoleConnection::close);
    soles.clear();
    idle.clear();
  }

  private void requireOpen() throws EleyException {
    if (closed) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "the client is closed");
    }
  }

  private void requireReady(boolean ready) throws EleyException {
    if (!ready) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "node " + node.id() + " does not answer; will try again soon");
    }
  }

  /** Whether the node has failed and not answered since. */
  boolean suspect() {
    return backoff.suspect();
  }

  /** Whether the node is being left alone now. */
  boolean leftAlone() {
    return !backoff.ready();
  }

  /** Notes that the node has answered. */
  void noteAnswer() {
    backoff.noteSuccess();
  }

  /**
   * Notes how a request has failed. A node that was silent keeps its connection once, since a node
   * that was stopped goes on with it; when it is silent again the connection is ended, since
   * packets may be lost on their way. A node that says no lives.
   */
  void noteOutcome(Connection over, EleyException failure) {
    if (failure instanceof LiveWait.SilentPeerException) {
      if (backoff.noteSilence() > 1) {
        over.close();
      }
    } else if (over.isOpen() && failure.code() != ErrorCode.INTERRUPTED) {
      noteAnswer();
    }
  }

  /**
   * Notes how a request over a connection of its own has failed. That connection is ended when the
   * node was silent: the shared ones, which it keeps once, are for those who try whether it is
   * back.
   */
  void noteOutcome(SoleConnection over, EleyException failure) {
    if (failure instanceof LiveWait.SilentPeerException) {
      backoff.noteSilence();
    } else if (over.isOpen()) {
      noteAnswer();
    }
  }

  /** Answers of the present connections that came too late. */
  long lateAnswers() {
    long late = 0;
    for (int i = 0; i < connections.length(); i++) {
      Connection connection = connections.get(i);
      late += connection == null ? 0 : connection.lateAnswers();
    }
    return late;
  }

  private Connection connect(Patience patience) throws EleyException {
    var opened =
        dial(
            patience,
            (known, options) -> Connection.open(address(), known, options, PushHandler.IGNORE));
    connections.set(next, opened);
    if (closed) {
      opened.close();
    }
    requireOpen();
    return opened;
  }

  private SoleConnection dialSole(Patience patience) throws EleyException {
    var opened = dial(patience, (known, options) -> SoleConnection.open(address(), known, options));
    soles.add(opened);
    if (closed) {
      closeSoles();
    }
    requireOpen();
    return opened;
  }

  /** One way to connect. */
  private interface Dial<T> {
    T with(Credentials known, ConnectionOptions options) throws EleyException;
  }

  private <T> T dial(Patience patience, Dial<T> dial) throws EleyException {
    Credentials known = credentials.get();
    try {
      return dial.with(
          known,
          ConnectionOptions.toNode(
                  node.id(),
                  "eley-" + node.id() + "-reader-" + next,
                  patience.within(connectTimeout))
              .withStall(stall));
    } catch (EleyException e) {
      credentials.noteFailure(known, e);
      backoff.noteFailure(e);
      throw e;
    }
  }

  private InetSocketAddress address() {
    return new InetSocketAddress(node.host(), node.port());
  }

  /** Does not wait for whoever dials now: that one closes what it gets. */
  @Override
  public void close() {
    closed = true;
    closeSoles();
    for (int i = 0; i < connections.length(); i++) {
      Connection connection = connections.get(i);
      if (connection != null) {
        connection.close();
      }
    }
  }
}
