package io.eley.bb.api.client;

import io.eley.bb.api.wire.Message;

/**
 * Receives messages that the server pushes. Called on the connection's reader thread, so it must
 * not block.
 */
@FunctionalInterface
public interface PushHandler {
  /** For connections on which nothing is pushed. */
  PushHandler IGNORE = message -> {};

  void pushed(Message message);
}
