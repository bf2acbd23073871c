package io.eley.coordinator.live;

import io.eley.prefetcher.control.PhaseEntry;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The phases that are over: the last ones whole, and each HPC application in sums. Not thread-safe:
 * the agent owns it.
 */
final class PhaseHistory {
  /** As many as a chart of five minutes can show. */
  static final int LAST = 200;

  /** Slowdowns of which the median is taken. */
  static final int SLOWDOWNS = 50;

  /** Applications that have had no phase for longest are forgotten beyond this many. */
  static final int APPLICATIONS = 200;

  private final Deque<PhaseEntry> last = new ArrayDeque<>();
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
    last.add(entry);
    if (last.size() > LAST) {
      last.remove();
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
    return List.copyOf(last);
  }

  /** Each application, the one with the newest phase first. */
  List<Figures> figures() {
    var all = new ArrayDeque<Figures>();
    sums.forEach(
        (application, s) ->
            all.addFirst(
                new Figures(
                    application,
                    s.phases,
                    s.seconds,
                    s.held,
                    s.heldBefore,
                    List.copyOf(s.judged))));
    return List.copyOf(all);
  }
}
