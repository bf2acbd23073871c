package io.eley.coordinator.live;

import io.eley.prefetcher.control.PhaseEntry;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The phases that are over: the last ones whole, and each HPC application in sums. Some 3 MB at
 * most. Not thread-safe: the agent owns it.
 */
final class PhaseHistory {
  /** As many as a chart of five minutes can show. */
  static final int LAST = 200;

  /** So many are kept: of two a minute, those of 41 hours. */
  static final int KEPT = 5_000;

  /** Slowdowns of which the median is taken. */
  static final int SLOWDOWNS = 50;

  /** Applications that have had no phase for longest are forgotten beyond this many. */
  static final int APPLICATIONS = 200;

  private final Deque<PhaseEntry> kept = new ArrayDeque<>();
  private final Map<String, Sums> sums = new LinkedHashMap<>();

  /** Sums of one application. */
  private static final class Sums {
    private long phases;
    private double seconds;
    private long held;
    private long heldBefore;
    private final Deque<PhaseEntry> judged = new ArrayDeque<>();

    void add(PhaseEntry entry) {
      phases++;
      seconds += entry.length().toNanos() / 1e9;
      held += entry.hold().complete() ? 1 : 0;
      heldBefore += heldBefore(entry) ? 1 : 0;
      if (entry.slowdown().isPresent()) {
        judged.add(entry);
        if (judged.size() > SLOWDOWNS) {
          judged.remove();
        }
      }
    }

    Figures of(String application) {
      return new Figures(application, phases, seconds, held, heldBefore, List.copyOf(judged));
    }
  }

  /**
   * One application in figures.
   *
   * @param judged its last phases whose slowdown is known, the oldest first
   */
  record Figures(
      String application,
      long phases,
      double seconds,
      long held,
      long heldBefore,
      List<PhaseEntry> judged) {}

  /** Whether all nodes held before it began. */
  static boolean heldBefore(PhaseEntry entry) {
    return entry.predicted().filter(PhaseEntry.Predicted::closedBefore).isPresent();
  }

  void add(PhaseEntry entry) {
    kept.add(entry);
    if (kept.size() > KEPT) {
      kept.remove();
    }
    Sums known = sums.remove(entry.application()); // The last to come is the last to be forgotten.
    Sums mine = known == null ? new Sums() : known;
    mine.add(entry);
    sums.put(entry.application(), mine);
    if (sums.size() > APPLICATIONS) {
      sums.remove(sums.keySet().iterator().next());
    }
  }

  /** The last phases, in the order in which they were recorded. */
  List<PhaseEntry> last() {
    return kept.stream().skip(Math.max(0, kept.size() - LAST)).toList();
  }

  /** Each application, the one with the newest phase first. */
  List<Figures> figures() {
    var all = new ArrayDeque<Figures>();
    sums.forEach((application, s) -> all.addFirst(s.of(application)));
    return List.copyOf(all);
  }

  /**
   * The phases that ended after a moment.
   *
   * @param figures of each application, that of the first phase first
   * @param complete whether none of them is forgotten
   */
  record Met(List<Figures> figures, boolean complete) {}

  /** What has been met since a moment. */
  Met since(Instant began) {
    var met = new LinkedHashMap<String, Sums>();
    kept.stream()
        .filter(entry -> isOverAfter(began, entry))
        .forEach(entry -> met.computeIfAbsent(entry.application(), a -> new Sums()).add(entry));
    boolean complete = kept.size() < KEPT || !isOverAfter(began, kept.getFirst());
    return new Met(
        met.entrySet().stream().map(e -> e.getValue().of(e.getKey())).toList(), complete);
  }

  private static boolean isOverAfter(Instant moment, PhaseEntry entry) {
    return entry.began().plus(entry.length()).isAfter(moment);
  }
}
