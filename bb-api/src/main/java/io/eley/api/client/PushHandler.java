package io.eley.api.client;

import io.eley.api.wire.Message;

/** Gets what the server says unasked. Called on the connection's reader thread: must not block. */
@FunctionalInterface
public interface PushHandler {
  /** For connections on which nothing is pushed. */
  PushHandler IGNORE = message -> {};

  void pushed(Message message);
}
