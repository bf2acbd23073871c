package io.eley.controller.sense;

import io.eley.bb.api.ReadTime;
import java.time.Duration;
import java.util.List;

/**
 * Whether a deployment loads the origin so much that the reads of other ones take longer: this one
 * by its reads, the others by the bytes that they say they have moved. Single reads do not count,
 * and a pause of a moment is none: who was told of a load should not have to be told twice a
 * second.
 *
 * <p>Not thread-safe. Times are nanoseconds of a monotonic clock.
 */
public final class HeardLoad {
  /** Longer than a deployment stops for a question to the origin. */
  private static final long PAUSE = Duration.ofSeconds(2).toNanos();

  /** Less than so many reads of a node under way on average are a single one. */
  private static final double ALONE = 1.2;

  private boolean ever;
  private long lastAt;

  /** Bytes that came faster than they may, up to what may come in a second. */
  private double excess;

  private long movedAt;

  /** Takes reads of a node that have ended or are under way. */
  public void note(List<ReadTime> reads, long now) {
    if (reads.stream().anyMatch(read -> read.underWay() > ALONE)) {
      hear(now);
    }
  }

  /** Takes what a client has moved past the buffer. */
  public void notePast(long bytes, long now) {
    if (bytes > 0) {
      hear(now);
    }
  }

  /**
   * Takes what was moved since the last word, of which nobody knows how many reads it was. It is
   * heard when it is a second's worth of {@code bytesPerSecond} above that rate: single reads,
   * which come at distances, stay below it.
   */
  public void noteMoved(long bytes, double bytesPerSecond, long now) {
    double inaudible = bytesPerSecond * (Math.max(0, now - movedAt) / 1e9);
    excess = Math.max(0, excess - inaudible) + bytes;
    movedAt = now;
    if (excess >= bytesPerSecond) {
      excess = bytesPerSecond;
      hear(now);
    }
  }

  private void hear(long now) {
    ever = true;
    lastAt = now;
  }

  /** Whether others hear it. */
  public boolean heard(long now) {
    return ever && now - lastAt < PAUSE;
  }
}
