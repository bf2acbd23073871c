package io.eley.bb.api.client;

import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Secret;
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
  private final Secret secret;
  private final Duration connectTimeout;
  private final @Nullable Connection[] connections;
  private final Backoff backoff = Backoff.live();
  private int next;
  private boolean closed;

  NodePool(NodeAddress node, Secret secret, int size, Duration connectTimeout) {
    this.node = node;
    this.secret = secret;
    this.connectTimeout = connectTimeout;
    connections = new Connection[size];
  }

  NodeAddress node() {
    return node;
  }

  /**
   * An open connection.
   *
   * @throws EleyException {@code UNAVAILABLE}, at once while the node is being left alone
   */
  synchronized Connection connection() throws EleyException {
    if (closed) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "the client is closed");
    }
    next = (next + 1) % connections.length;
    Connection current = connections[next];
    if (current != null && current.isOpen()) {
      return current;
    }
    if (!backoff.ready()) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "node " + node.id() + " does not answer; will try again soon");
    }
    try {
      var opened =
          Connection.open(
              new InetSocketAddress(node.host(), node.port()),
              secret,
              new ConnectionOptions("eley-" + node.id() + "-reader-" + next, connectTimeout),
              PushHandler.IGNORE);
      backoff.noteSuccess();
      connections[next] = opened;
      return opened;
    } catch (EleyException e) {
      backoff.noteFailure();
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
