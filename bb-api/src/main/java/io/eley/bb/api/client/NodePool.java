package io.eley.bb.api.client;

import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Credentials;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The connections to one node, opened when they are needed and used in turn. A node that cannot be
 * reached is left alone for a back-off. Safe for several threads; connecting blocks those that need
 * that node.
 */
final class NodePool implements AutoCloseable {
  private final NodeAddress node;
  private final Credentials credentials;
  private final Duration connectTimeout;
  private final Duration stall;
  private final AtomicReferenceArray<Connection> connections;
  private final Backoff backoff = Backoff.live();
  private final ReentrantLock lock = new ReentrantLock();
  private int next;
  private volatile boolean closed;

  /**
   * A pool without a connection.
   *
   * @param stall see {@link ConnectionOptions}
   */
  NodePool(
      NodeAddress node,
      Credentials credentials,
      int size,
      Duration connectTimeout,
      Duration stall) {
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
    try {
      var opened =
          Connection.open(
              new InetSocketAddress(node.host(), node.port()),
              credentials,
              ConnectionOptions.toNode(
                      node.id(),
                      "eley-" + node.id() + "-reader-" + next,
                      patience.within(connectTimeout))
                  .withStall(stall),
              PushHandler.IGNORE);
      connections.set(next, opened);
      if (closed) {
        opened.close();
      }
      requireOpen();
      return opened;
    } catch (EleyException e) {
      backoff.noteFailure(e);
      throw e;
    }
  }

  /** Does not wait for whoever dials now: that one closes what it gets. */
  @Override
  public void close() {
    closed = true;
    for (int i = 0; i < connections.length(); i++) {
      Connection connection = connections.get(i);
      if (connection != null) {
        connection.close();
      }
    }
  }
}
