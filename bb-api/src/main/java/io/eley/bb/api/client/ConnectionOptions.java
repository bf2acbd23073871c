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
 */
public record ConnectionOptions(String name, Duration connectTimeout, Identity dialled) {
  public ConnectionOptions {
    if (connectTimeout.isNegative() || connectTimeout.isZero()) {
      throw new IllegalArgumentException("the connect time-out must be positive");
    }
  }

  /** To the deployment's coordinator. */
  public static ConnectionOptions toCoordinator(String name, Duration connectTimeout) {
    return new ConnectionOptions(name, connectTimeout, Identity.COORDINATOR);
  }

  /** To this node and no other. */
  public static ConnectionOptions toNode(NodeId node, String name, Duration connectTimeout) {
    return new ConnectionOptions(name, connectTimeout, Identity.node(node));
  }
}
