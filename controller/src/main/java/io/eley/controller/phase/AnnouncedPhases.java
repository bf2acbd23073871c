package io.eley.controller.phase;

import io.eley.controller.phase.PhaseListener.Ending;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Phases that HPC applications announce. Each has a lease: the phase of an application that dies
 * inside it ends when the lease does. Announcing an open phase again renews the lease, even with a
 * shorter one, and is no second phase: one end ends it.
 *
 * <p>Not thread-safe: one thread owns it. Time is handed in.
 */
public final class AnnouncedPhases implements PhaseSource {
  public static final SourceKind KIND = SourceKind.announced("announced");

  /** Longer leases are cut to this, since a lease of many years would overflow the clock. */
  private static final Duration LONGEST = Duration.ofDays(365);

  private record Open(Evidence phase, long expiry) {}

  private final PhaseListener listener;
  private final Map<String, Open> open = new TreeMap<>();

  /**
   * A source without an open phase.
   *
   * @param listener is notified of each phase's begin and end once
   */
  public AnnouncedPhases(PhaseListener listener) {
    this.listener = listener;
  }

  @Override
  public SourceKind kind() {
    return KIND;
  }

  /**
   * Begins a phase, or renews its lease.
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
    long expiry = now + (lease.compareTo(LONGEST) > 0 ? LONGEST : lease).toNanos();
    Open before = open.get(application);
    Evidence phase =
        before == null
            ? new Evidence(application, KIND.name(), now, KIND.confidence())
            : before.phase();
    open.put(application, new Open(phase, expiry));
    if (before == null) {
      listener.opened(phase);
    }
    return before == null;
  }

  /** Ends a phase; returns whether it was open. */
  public boolean end(String application, long now) {
    expire(now);
    Open ended = open.remove(application);
    if (ended != null) {
      listener.closed(ended.phase(), now, Ending.ANNOUNCED);
    }
    return ended != null;
  }

  @Override
  public List<Evidence> openPhases(long now) {
    return open.values().stream().map(Open::phase).toList();
  }

  @Override
  public SourceHealth health(long now) {
    return new SourceHealth(KIND.name(), SourceHealth.State.FRESH, Duration.ZERO, "");
  }

  @Override
  public void expire(long now) {
    for (Iterator<Open> each = open.values().iterator(); each.hasNext(); ) {
      Open phase = each.next();
      if (phase.expiry() - now <= 0) {
        each.remove();
        listener.closed(phase.phase(), phase.expiry(), Ending.LEASE_EXPIRED);
      }
    }
  }
}
