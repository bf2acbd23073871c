package io.eley.bb.api.edge;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * What has ended lately, so that whoever comes late for it is told so. Bounded twice: by number,
 * since names come from outside, and by age, since a name may be meant again one day.
 *
 * <p>For one thread at a time.
 */
public final class Tombstones<T> {
  private final int most;
  private final long lifeNanos;
  private final LongSupplier nanos;

  /** The oldest first, with the time at which each ended. */
  private final Map<T, Long> ended = new LinkedHashMap<>();

  /**
   * @param most that are remembered; the oldest make room
   * @param life for which one is remembered
   * @param nanos a clock that never goes back
   */
  public Tombstones(int most, Duration life, LongSupplier nanos) {
    this.most = most;
    this.lifeNanos = life.toNanos();
    this.nanos = nanos;
  }

  /** It has ended now. */
  public void add(T what) {
    ended.remove(what);
    ended.put(what, nanos.getAsLong());
    if (ended.size() > most) {
      ended.remove(ended.keySet().iterator().next());
    }
  }

  /** It has begun again. */
  public void remove(T what) {
    ended.remove(what);
  }

  /** Those that ended lately, the oldest first. */
  public List<T> all() {
    long now = nanos.getAsLong();
    ended.values().removeIf(at -> now - at >= lifeNanos);
    return List.copyOf(ended.keySet());
  }

  /** Whether it ended lately. */
  public boolean has(T what) {
    Long at = ended.get(what);
    if (at != null && nanos.getAsLong() - at >= lifeNanos) {
      ended.remove(what);
      return false;
    }
    return at != null;
  }
}
