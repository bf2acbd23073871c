package io.eley.bb.api.client;

import io.eley.bb.api.NodeId;
import io.eley.bb.api.wire.Identity;
import java.time.Duration;

/**
 * Options of one connection.
 *
 * @param name of its reader thread
 * @param connectTimeout for connecting and the handshake together
 * @param dialled who must answer
 * @param stall how long the peer may take nothing of what is written to it; then the connection is
 *     ended
 */
public record ConnectionOptions(
    String name, Duration connectTimeout, Identity dialled, Duration stall) {
  /** For what no reader waits for. */
  private static final Duration STALL = Duration.ofSeconds(6);

  public ConnectionOptions {
    if (connectTimeout.isNegative() || connectTimeout.isZero()) {
      throw new IllegalArgumentException("the connect time-out must be positive");
    }
  }

  /** With the usual patience with a peer that takes nothing. */
  public ConnectionOptions(String name, Duration connectTimeout, Identity dialled) {
    this(name, connectTimeout, dialled, STALL);
  }

  /** To the deployment's coordinator. */
  public static ConnectionOptions toCoordinator(String name, Duration connectTimeout) {
    return new ConnectionOptions(name, connectTimeout, Identity.COORDINATOR);
  }

  /** To this node and no other. */
  public static ConnectionOptions toNode(NodeId node, String name, Duration connectTimeout) {
    return new ConnectionOptions(name, connectTimeout, Identity.node(node));
  }

  /** The same with this patience with a peer that takes nothing. */
  ConnectionOptions withStall(Duration most) {
    return new ConnectionOptions(name, connectTimeout, dialled, most);
  }
}
