package io.eley.bb.server.node;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.Message;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A connection to the coordinator. Safe for several threads. */
interface Uplink extends AutoCloseable {
  /**
   * Sends a request; the future fails with an {@link EleyException} when the answer is a failure.
   */
  CompletableFuture<Message> request(Message message);

  /** Sends a message that is not answered. May block while the socket is full. */
  void send(Message message) throws EleyException;

  boolean isOpen();

  /** Runs the action once when the connection has ended, at once if it already has. */
  void onClose(Runnable action);

  /** Address of our end, which other machines of the deployment can reach us by. */
  String localHost();

  @Override
  void close();

  /** Opens connections. */
  @FunctionalInterface
  interface Dialer {
    /**
     * Finds the coordinator and connects. Blocks, within the connection's deadlines.
     *
     * @param pushes receives what the coordinator pushes, on the connection's reader thread
     * @throws EleyException {@code UNAVAILABLE} when it is not there, {@code UNAUTHENTICATED},
     *     {@code INCOMPATIBLE}
     */
    Uplink dial(Consumer<Message> pushes) throws EleyException;
  }
}
