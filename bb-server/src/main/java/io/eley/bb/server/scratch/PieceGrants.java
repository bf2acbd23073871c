package io.eley.bb.server.scratch;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.ScratchMessage.ScratchReserved;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * How many pieces each writer may have under way, so that all together are no more than wait here.
 *
 * <p>What is granted shrinks with the square of what is left: a writer who is alone gets all that
 * keeps a connection busy, and some three hundred get one at least. Where little is left, the share
 * of a writer who has sent nothing for a minute is granted to others: it may be suspended with its
 * job, or its host without power, and come back or not. Should it come back, its pieces are taken
 * as long as there is room for them to wait.
 *
 * <p>Safe for several threads; never blocks.
 */
final class PieceGrants {
  /** Pieces that wait here at most, 256 MiB. */
  static final int MOST = 512;

  /** As long as a peer may take nothing before its connection counts as stalled. */
  static final Duration SILENT = Duration.ofSeconds(60);

  private static final int LITTLE = MOST / 4;

  private final LongSupplier clock;
  private final Set<Grant> granted = new HashSet<>();
  private int free = MOST;

  /**
   * @param clock as {@link System#nanoTime}
   */
  PieceGrants(LongSupplier clock) {
    this.clock = clock;
  }

  /** A writer's share, from 1 to {@link ScratchReserved#PIECES_MAX}. */
  final class Grant {
    private final int pieces;
    private volatile long used = clock.getAsLong();

    private Grant(int pieces) {
      this.pieces = pieces;
    }

    int pieces() {
      return pieces;
    }

    /** Notes that its writer has sent a piece. */
    void noteUse() {
      used = clock.getAsLong();
    }

    /** To be called once the writer has no piece under way any more; again does nothing. */
    void giveBack() {
      PieceGrants.this.giveBack(this);
    }
  }

  /**
   * Takes what a writer may have under way.
   *
   * @throws EleyException {@code UNAVAILABLE} when all is granted
   */
  synchronized Grant take() throws EleyException {
    if (free < LITTLE) {
      giveBackSilent();
    }
    if (free == 0) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "too many write to scratch");
    }
    var taken = new Grant(Math.max(1, ScratchReserved.PIECES_MAX * free * free / (MOST * MOST)));
    granted.add(taken);
    free -= taken.pieces;
    return taken;
  }

  private void giveBackSilent() {
    long now = clock.getAsLong();
    for (Grant each : Set.copyOf(granted)) {
      if (now - each.used > SILENT.toNanos()) {
        giveBack(each);
      }
    }
  }

  private synchronized void giveBack(Grant given) {
    if (granted.remove(given)) {
      free += given.pieces;
    }
  }
}
