package io.eley.bb.api.client;

import io.eley.bb.api.wire.Message;

/** Gets what the server says unasked. Called on the connection's reader thread: must not block. */
@FunctionalInterface
public interface PushHandler {
  /** For connections on which nothing is pushed. */
  PushHandler IGNORE = message -> {};

  void pushed(Message message);
}
