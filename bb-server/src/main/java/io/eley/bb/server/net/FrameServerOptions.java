package io.eley.bb.server.net;

import java.time.Duration;

/**
 * How a {@link FrameServer} listens.
 *
 * @param host address to listen on
 * @param port 0 for any free one
 * @param name of its threads
 * @param ioThreads event loops, at least 1
 * @param limits against strangers and slow readers
 */
public record FrameServerOptions(String host, int port, String name, int ioThreads, Limits limits) {
  public FrameServerOptions {
    if (port < 0 || port > 65535) {
      throw new IllegalArgumentException("port out of range: " + port);
    }
    if (ioThreads < 1) {
      throw new IllegalArgumentException("a server needs at least one thread");
    }
  }

  /** Two event loops and the default limits. */
  public FrameServerOptions(String host, int port, String name) {
    this(host, port, name, 2, Limits.DEFAULT);
  }

  /** The same with other limits. */
  public FrameServerOptions withLimits(Limits other) {
    return new FrameServerOptions(host, port, name, ioThreads, other);
  }

  /**
   * What a peer can make the server hold.
   *
   * @param handshake how long a peer may take to prove that it knows the secret
   * @param maxUnauthenticated connections that have not proved it yet; a further one ends the
   *     oldest
   * @param sending how much is queued for a peer that reads slowly
   */
  public record Limits(Duration handshake, int maxUnauthenticated, Sending sending) {
    public static final Limits DEFAULT = of(NetworkOptions.DEFAULT);

    private static final int MAX_UNAUTHENTICATED = 256;

    /** The usual limits with a configured deadline. */
    public static Limits of(NetworkOptions network) {
      return new Limits(network.handshake(), MAX_UNAUTHENTICATED, Sending.DEFAULT);
    }

    public Limits {
      if (handshake.isNegative() || handshake.isZero() || maxUnauthenticated < 1) {
        throw new IllegalArgumentException("the handshake's limits must be positive");
      }
    }
  }

  /**
   * Back-pressure. Above the high mark messages queue in the session, and go on when less than the
   * low mark is with the socket: two marks, so that a reader at the edge does not toggle it.
   *
   * @param lowBytes with the socket, below which queued messages go on
   * @param highBytes with the socket, above which messages queue; one reply may exceed it
   * @param pauseAt queued messages at which nothing more is read from the peer, until half of them
   *     have left
   * @param maxQueued queued messages at which the peer is disconnected
   * @param stalled how long a peer may take not a single byte while something is queued; noticed
   *     within twice that time
   */
  public record Sending(int lowBytes, int highBytes, int pauseAt, int maxQueued, Duration stalled) {
    public static final Sending DEFAULT =
        new Sending(1 << 20, 4 << 20, 64, 16_384, Duration.ofSeconds(60));

    public Sending {
      if (lowBytes < 1 || lowBytes >= highBytes) {
        throw new IllegalArgumentException(
            "lowBytes " + lowBytes + " must be below highBytes " + highBytes);
      }
      if (pauseAt < 2 || pauseAt >= maxQueued) {
        throw new IllegalArgumentException(
            "pauseAt " + pauseAt + " must be at least 2 and below maxQueued " + maxQueued);
      }
      if (stalled.toMillis() < 1) {
        throw new IllegalArgumentException("stalled must be at least 1 ms");
      }
    }
  }
}
