package io.eley.controller.loop;

import java.time.Duration;

/**
 * Measures for how long prefetching is held without a gap, and for how long it was without need:
 * while no phase was open, as before a phase that was expected. Not thread-safe. Times are
 * nanoseconds.
 */
final class HeldTime {
  private long needless;
  private long heldSince;
  private long at;
  private boolean held;
  private boolean phaseOpen;

  HeldTime(long now) {
    at = now;
  }

  /** Lets time pass; {@code holds} and {@code open} apply from now on. */
  void advance(boolean holds, boolean open, long now) {
    if (held) {
      needless += phaseOpen ? 0 : now - at;
    }
    if (holds && !held) {
      heldSince = now;
    }
    at = now;
    held = holds;
    phaseOpen = open;
  }

  /** For how long prefetching has been held without a gap; zero when it is not. */
  Duration current(long now) {
    return held ? Duration.ofNanos(now - heldSince) : Duration.ZERO;
  }

  /** The time held while no phase was open. */
  Duration needless() {
    return Duration.ofNanos(needless);
  }
}
