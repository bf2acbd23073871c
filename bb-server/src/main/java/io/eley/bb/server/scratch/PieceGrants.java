package io.eley.bb.server.scratch;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.ScratchMessage.ScratchReserved;

/**
 * How many pieces each writer may have under way, so that all together are no more than wait here.
 *
 * <p>What is granted shrinks with the square of what is left: a writer who is alone gets all that
 * keeps a connection busy, and some three hundred get one at least. Safe for several threads; never
 * blocks.
 */
final class PieceGrants {
  /** Pieces that wait here at most, 256 MiB. */
  static final int MOST = 512;

  private int free = MOST;

  /**
   * Takes what a writer may have under way.
   *
   * @return from 1 to {@link ScratchReserved#PIECES_MAX}; {@linkplain #giveBack to be given back}
   * @throws EleyException {@code UNAVAILABLE} when all is granted
   */
  synchronized int take() throws EleyException {
    if (free == 0) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "too many write to scratch");
    }
    int granted = Math.max(1, ScratchReserved.PIECES_MAX * free * free / (MOST * MOST));
    free -= granted;
    return granted;
  }

  synchronized void giveBack(int granted) {
    free += granted;
  }
}
