package io.eley.bb.server.net;

import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.ReplyMessage.Failure;

/**
 * What a server does with its sessions. For one session the calls come one after the other, on the
 * session's event loop, {@code opened} first and {@code closed} last. An implementation must not
 * block: it would stop every other session of the same loop, and with it the permits of a whole
 * deployment. Sessions share an implementation, so state that is not the session's must be safe for
 * several threads.
 */
public interface SessionHandler {
  /** The peer has proved that it knows the secret. */
  void opened(Session session);

  /**
   * A message has arrived.
   *
   * @param correlation to answer with; {@link io.eley.bb.api.wire.FrameHeader#PUSH} when the peer
   *     wants no answer
   */
  void received(Session session, long correlation, Message message);

  /**
   * A message with a payload has arrived. Refused unless an implementation takes it.
   *
   * @param bytes for the implementation to close
   */
  default void received(Session session, long correlation, Message message, ReceivedBytes bytes) {
    bytes.close();
    session.reply(
        correlation,
        new Failure(ErrorCode.MALFORMED, "nothing is taken behind " + message.type() + " here"));
  }

  /** The connection has ended; called exactly once for every opened session. */
  void closed(Session session);
}
