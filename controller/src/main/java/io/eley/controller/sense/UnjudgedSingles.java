package io.eley.controller.sense;

import java.time.Duration;
import java.util.ArrayDeque;

/**
 * Single reads of which it is not known yet whether they met somebody else. They are the yardstick
 * for all others, so they are learned from when the test has said that nobody is there, or when a
 * while has passed without an alarm, and not at all when somebody was found: else the first reads
 * of each phase would make it a little more usual, until none is found any more.
 *
 * <p>Not thread-safe. Times of reads are logarithms of nanoseconds, moments nanoseconds of a
 * monotonic clock.
 */
final class UnjudgedSingles {
  /** An alarm and its test take less. */
  private static final long HELD_BACK = Duration.ofSeconds(1).toNanos();

  private record Single(RecentQuantile usual, double time, long ended) {}

  private final ArrayDeque<Single> reads = new ArrayDeque<>();

  /** Takes a read; as long as hardly any is known, all that come are learned from. */
  void add(RecentQuantile usual, double time, long ended) {
    if (usual.known()) {
      reads.add(new Single(usual, time, ended));
    } else {
      usual.learn(time, ended);
    }
  }

  /** Nothing was heard until now. */
  void advance(long now) {
    learn(now - HELD_BACK);
  }

  /** Those that have ended by then met nobody. */
  void learn(long until) {
    while (!reads.isEmpty() && reads.getFirst().ended - until <= 0) {
      Single read = reads.remove();
      read.usual.learn(read.time, read.ended);
    }
  }

  /** They met somebody. */
  void drop() {
    reads.clear();
  }
}
