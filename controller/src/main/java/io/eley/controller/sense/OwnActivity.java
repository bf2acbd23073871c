package io.eley.controller.sense;

import io.eley.bb.api.ReadTime;
import java.time.Duration;
import java.util.List;

/**
 * Whether we load the origin so much that other deployments of ours hear it. Single reads do not
 * count, and a pause of a moment is none: who was told of us should not have to be told twice a
 * second.
 *
 * <p>Not thread-safe. Times are nanoseconds of a monotonic clock.
 */
public final class OwnActivity {
  /** Longer than we stop for a question to the origin. */
  private static final long PAUSE = Duration.ofSeconds(2).toNanos();

  /** Less than so many reads of a node under way on average are a single one. */
  private static final double ALONE = 1.2;

  private boolean ever;
  private long lastAt;

  /** Takes reads of a node that have ended or are under way. */
  public void note(List<ReadTime> reads, long now) {
    if (reads.stream().anyMatch(read -> read.underWay() > ALONE)) {
      ever = true;
      lastAt = now;
    }
  }

  /** Takes what a client has moved past the buffer. */
  public void notePast(long bytes, long now) {
    if (bytes > 0) {
      ever = true;
      lastAt = now;
    }
  }

  /** Whether others hear us. */
  public boolean heard(long now) {
    return ever && now - lastAt < PAUSE;
  }
}
