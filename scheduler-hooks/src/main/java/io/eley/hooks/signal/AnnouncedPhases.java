package io.eley.hooks.signal;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Phases that HPC applications announce. Each has a lease: an application that dies inside a phase
 * without a word ends it by its silence. Announcing an open phase again renews the lease, even with
 * a shorter one.
 *
 * <p>Not thread-safe: one thread owns it.
 */
public final class AnnouncedPhases implements PhaseSource {
  private final Map<String, Long> expiries = new TreeMap<>();

  /**
   * A phase begins or its lease is renewed.
   *
   * @param lease positive
   * @param now nanoseconds of a monotonic clock
   * @return whether the application was not in a phase before
   */
  public boolean begin(String application, Duration lease, long now) {
    if (lease.isZero() || lease.isNegative()) {
      throw new IllegalArgumentException("a lease is positive");
    }
    expire(now);
    // A lease of years would overflow the clock; a year is as good.
    long nanos =
        lease.compareTo(Duration.ofDays(365)) > 0
            ? Duration.ofDays(365).toNanos()
            : lease.toNanos();
    return expiries.put(application, now + nanos) == null;
  }

  /** A phase ends; says whether it was open. */
  public boolean end(String application, long now) {
    expire(now);
    return expiries.remove(application) != null;
  }

  @Override
  public List<String> openPhases(long now) {
    expire(now);
    return List.copyOf(expiries.keySet());
  }

  private void expire(long now) {
    expiries.values().removeIf(expiry -> expiry - now <= 0);
  }
}
