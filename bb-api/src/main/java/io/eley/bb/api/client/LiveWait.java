package io.eley.bb.api.client;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.PingMessage;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Waits for an answer for as long as the peer shows that it lives.
 *
 * <p>A read may wait for minutes with good reason: an HPC application's phase holds it back. A peer
 * that hangs must not cost a second. Both look alike until one asks: so after a while of silence
 * the peer is asked whether it lives ({@link PingMessage}), and given the same while to say so. A
 * connection over which bytes move at {@value #FLOOR_BYTES_PER_SECOND} bytes a second or more is
 * alive, too: a large payload may stand before the answer. So the time that a read may take follows
 * its size, and a peer that trickles counts as one that hangs.
 *
 * @param silence before the question, and again before its answer
 * @param deadline for the whole, however alive the peer is
 * @param signs hears how it goes; must not block
 */
record LiveWait(Duration silence, Duration deadline, Signs signs) {
  /** What one learns about the peer while waiting. */
  interface Signs {
    /** It is asked whether it lives: time to look for another. */
    default void asked() {}

    /** It lives. */
    default void alive() {}
  }

  static final long FLOOR_BYTES_PER_SECOND = 1 << 20;

  /**
   * Blocks until the answer is there.
   *
   * @throws SilentPeerException when the peer does not show that it lives, or takes nothing of what
   *     is written to it any more
   * @throws EleyException the answer's own; {@code DEADLINE}; {@code INTERRUPTED}
   */
  <T> T done(Connection peer, CompletableFuture<T> answer, String what) throws EleyException {
    long began = System.nanoTime();
    while (!await(answer, within(began), what)) {
      requireTime(began, what);
      signs.asked();
      requireLife(peer, answer, what);
    }
    try {
      return Await.done(answer, Duration.ZERO, what);
    } catch (EleyException e) {
      if (e.code() == ErrorCode.UNAVAILABLE && peer.stalled()) {
        throw new SilentPeerException(String.valueOf(e.getMessage()));
      }
      throw e;
    }
  }

  /**
   * What lends something and is not waited for any more is given back should it still come. Does
   * not block.
   *
   * @param late gives back what the answer lends; on a thread of its own, may block
   */
  static <T> void ifLate(CompletableFuture<T> answer, Consumer<T> late) {
    // Not on the connection's reader: to write, it would wait for the peer, and the peer for it.
    var unused = answer.thenAcceptAsync(late, LiveWait::onThreadOfItsOwn);
  }

  private static void onThreadOfItsOwn(Runnable work) {
    var thread = new Thread(work, "eley-late-answer");
    thread.setDaemon(true);
    thread.start();
  }

  private void requireLife(Connection peer, CompletableFuture<?> answer, String what)
      throws EleyException {
    long before = peer.received();
    CompletableFuture<Message> life = peer.request(new PingMessage());
    if (await(CompletableFuture.anyOf(life, answer), silence, what)) {
      signs.alive();
      return;
    }
    requireMoved(peer.received() - before, what);
  }

  /**
   * Requires that so many bytes within one silence show that the peer lives.
   *
   * @throws SilentPeerException when they are too few
   */
  void requireMoved(long moved, String what) throws SilentPeerException {
    if (moved < FLOOR_BYTES_PER_SECOND * silence.toMillis() / 1000) {
      throw new SilentPeerException(
          "no sign of life within " + 2 * silence.toMillis() + " ms: " + what);
    }
  }

  private Duration within(long began) {
    Duration left = deadline.minusNanos(System.nanoTime() - began);
    return left.compareTo(silence) < 0 ? left : silence;
  }

  private void requireTime(long began, String what) throws EleyException {
    if (System.nanoTime() - began >= deadline.toNanos()) {
      throw new EleyException(
          ErrorCode.DEADLINE, "no answer within " + deadline.toMillis() + " ms: " + what);
    }
  }

  /** Whether it was done in time, however it ended. */
  private static boolean await(CompletableFuture<?> future, Duration time, String what)
      throws EleyException {
    try {
      future.get(Math.max(0, time.toNanos()), TimeUnit.NANOSECONDS);
      return true;
    } catch (ExecutionException e) {
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.INTERRUPTED, "interrupted: " + what, e);
    }
  }

  /** The peer neither answers nor says that it lives: it is as good as gone. */
  static final class SilentPeerException extends EleyException {
    private static final long serialVersionUID = 1L;

    SilentPeerException(String message) {
      super(ErrorCode.DEADLINE, message);
    }
  }
}
