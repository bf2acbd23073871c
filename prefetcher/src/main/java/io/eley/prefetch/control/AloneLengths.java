package io.eley.prefetch.control;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Learns how long an application's phases take alone: the median of the last {@value #KEPT} phases
 * in which all nodes held, since nothing of ours was in those but a chunk per fetcher. The median,
 * because a phase may be long or short for reasons that are not ours. Example: 10.0, 10.2, 9.9,
 * 14.0 and 10.1 s give 10.1 s with an error of 1 %.
 *
 * <p>Pure; not safe for several threads.
 */
public final class AloneLengths {
  private static final int KEPT = 32;
  private static final int LEAST = 3;

  /** Applications remembered; then the one that was quiet for longest is forgotten. */
  private static final int APPLICATIONS = 1000;

  private final Map<String, Deque<Duration>> lengths =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Deque<Duration>> eldest) {
          return size() > APPLICATIONS;
        }
      };

  /** What stays the same from one run of an application to the next: its name up to a {@code #}. */
  public static String signature(String application) {
    int run = application.indexOf('#');
    return run < 0 ? application : application.substring(0, run);
  }

  /** Takes a phase into account, if it was protected. */
  public void learn(PhaseEntry entry) {
    if (!entry.hold().complete()) {
      return;
    }
    var known = lengths.computeIfAbsent(signature(entry.application()), a -> new ArrayDeque<>());
    known.add(entry.length());
    if (known.size() > KEPT) {
      known.remove();
    }
  }

  /** What is known of an application; empty before its {@value #LEAST} protected phases. */
  public Optional<PhaseEntry.Alone> of(String application) {
    var known = lengths.getOrDefault(signature(application), new ArrayDeque<>());
    if (known.size() < LEAST) {
      return Optional.empty();
    }
    long median = median(known.stream().mapToLong(Duration::toNanos));
    long deviation = median(known.stream().mapToLong(l -> Math.abs(l.toNanos() - median)));
    return Optional.of(
        new PhaseEntry.Alone(Duration.ofNanos(median), (double) deviation / Math.max(1, median)));
  }

  private static long median(LongStream values) {
    long[] sorted = values.sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
