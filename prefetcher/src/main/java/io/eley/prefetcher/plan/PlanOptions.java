package io.eley.prefetcher.plan;

import io.eley.bb.api.BlockGeometry;
import java.time.Duration;

/**
 * How a plan is made.
 *
 * @param geometry how files are cut
 * @param reach how far ahead of the tasks that run
 * @param overrunBytes past a split's end that its task may read, zero or more
 * @param retries what is done about blocks that do not stay
 * @param limits how much of the heap plans may take
 */
public record PlanOptions(
    BlockGeometry geometry,
    WindowReach reach,
    long overrunBytes,
    Retries retries,
    PlanLimits limits) {
  /** Splits of the window while it is not known how many tasks run at once. */
  public static final int FIRST_WINDOW = 4;

  public PlanOptions {
    if (overrunBytes < 0) {
      throw new IllegalArgumentException("an overrun is zero or more");
    }
  }

  /** The default retries, and no limits. */
  public PlanOptions(BlockGeometry geometry, WindowReach reach, long overrunBytes) {
    this(geometry, reach, overrunBytes, Retries.DEFAULT, PlanLimits.NONE);
  }

  /** The same with so many waves ahead. */
  public PlanOptions(BlockGeometry geometry, int windowWaves, long overrunBytes) {
    this(geometry, WindowReach.fixed(windowWaves), overrunBytes);
  }

  /** The same with limits. */
  public PlanOptions withLimits(PlanLimits other) {
    return new PlanOptions(geometry, reach, overrunBytes, retries, other);
  }

  /**
   * What is done about a needed block whose fetch fails or that the node drops.
   *
   * @param attempts after so many it is left to the task that wants it
   * @param pause before the second attempt; it doubles with each further one
   */
  public record Retries(int attempts, Duration pause) {
    public static final Retries DEFAULT = new Retries(5, Duration.ofMillis(500));

    public Retries {
      if (attempts < 1 || pause.isNegative()) {
        throw new IllegalArgumentException("at least one attempt, and no negative pause");
      }
    }

    /** Nanoseconds to wait after the {@code failures}-th failure. */
    long pauseNanos(int failures) {
      return pause.toNanos() << Math.min(failures - 1, 16);
    }
  }
}
