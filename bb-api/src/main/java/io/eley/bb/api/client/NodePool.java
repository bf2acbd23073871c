package io.eley.bb.api.client;

import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Credentials;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one node, opened when they are needed and used in turn. A node that cannot be
 * reached is left alone for a back-off. Safe for several threads; connecting blocks those that need
 * that node.
 */
final class NodePool implements AutoCloseable {
  private final NodeAddress node;
  private final Credentials credentials;
  private final Duration connectTimeout;
  private final @Nullable Connection[] connections;
  private final Backoff backoff = Backoff.live();
  private int next;
  private boolean closed;

  NodePool(NodeAddress node, Credentials credentials, int size, Duration connectTimeout) {
    this.node = node;
    this.credentials = credentials;
    this.connectTimeout = connectTimeout;
    connections = new Connection[size];
  }

  NodeAddress node() {
    return node;
  }

  /**
   * An open connection. While the node is suspect, one caller at a time gets one, and the others
   * learn at once that they do not.
   *
   * @throws EleyException {@code UNAVAILABLE}, at once while the node is being left alone
   */
  Connection connection() throws EleyException {
    requireReady(backoff.ready());
    synchronized (this) {
      if (closed) {
        throw new EleyException(ErrorCode.UNAVAILABLE, "the client is closed");
      }
      requireReady(backoff.admit());
      next = (next + 1) % connections.length;
      Connection current = connections[next];
      return current != null && current.isOpen() ? current : connect();
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
  synchronized long lateAnswers() {
    long late = 0;
    for (Connection connection : connections) {
      late += connection == null ? 0 : connection.lateAnswers();
    }
    return late;
  }

  private Connection connect() throws EleyException {
    try {
      var opened =
          Connection.open(
              new InetSocketAddress(node.host(), node.port()),
              credentials,
              ConnectionOptions.toNode(
                  node.id(), "eley-" + node.id() + "-reader-" + next, connectTimeout),
              PushHandler.IGNORE);
      connections[next] = opened;
      return opened;
    } catch (EleyException e) {
      backoff.noteFailure(e);
      throw e;
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    for (Connection connection : connections) {
      if (connection != null) {
        connection.close();
      }
    }
  }
}
