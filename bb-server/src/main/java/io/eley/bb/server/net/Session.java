package io.eley.bb.server.net;

import io.eley.bb.api.wire.BlockMessage.BlockData;
import io.eley.bb.api.wire.Message;
import org.jspecify.annotations.Nullable;

/**
 * One authenticated connection, seen from the server.
 *
 * <p>Every method may be called on any thread and none blocks. Messages of one thread leave in the
 * order in which it sent them. A peer that reads slowly delays what is queued for it; while too
 * much is queued nothing more is read from it, and one that does not read at all is disconnected.
 * After the end of the connection every message is dropped, and files are released.
 */
public interface Session {
  /** Answers a request. */
  void reply(long correlation, Message message);

  /** Sends a message that answers no request. */
  void push(Message message);

  /**
   * Answers a request with bytes of a file; they never enter this process's memory. Takes over
   * {@code bytes}: it is released once, when the last byte is with the kernel or the connection has
   * ended.
   */
  void replyBlock(long correlation, BlockData header, FilePart bytes);

  /** Whether a message sent now would leave at once rather than queue. A hint. */
  boolean writable();

  /** The peer's address, for the log and for people. */
  String peer();

  /** The name of the key that the peer has proved to have; empty for the server's own. */
  default String key() {
    return "";
  }

  /** The local address of this connection's socket, as text without a port. */
  String localHost();

  /** Ends the connection now; what is queued is dropped. */
  void close();

  /** What the handler keeps with the session; null until {@link #attach}. */
  @Nullable Object attachment();

  /** Keeps something with the session; visible to all threads. */
  void attach(@Nullable Object attachment);
}
