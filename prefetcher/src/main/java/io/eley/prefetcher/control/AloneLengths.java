package io.eley.prefetcher.control;

import io.eley.bb.api.RecentMap;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.LongStream;

/**
 * Learns how long an application's phases take alone, and how fast they are: the median of the last
 * {@value #KEPT} phases in which all nodes held, since nothing of ours was in those but a chunk per
 * fetcher. The median, because a phase may be long or short for reasons that are not ours. Example:
 * 10.0, 10.2, 9.9, 14.0 and 10.1 s give 10.1 s with an error of 1 %.
 *
 * <p>Pure; not safe for several threads.
 */
public final class AloneLengths {
  private static final int KEPT = 32;
  private static final int LEAST = 3;

  /**
   * How many applications are remembered; one more, and the one that was quiet for longest is
   * forgotten.
   */
  private static final int APPLICATIONS = 1000;

  private final Map<String, Known> lengths = new RecentMap<>(APPLICATIONS);

  /** What stays the same from one run of an application to the next: its name up to a {@code #}. */
  public static String signature(String application) {
    int run = application.indexOf('#');
    return run < 0 ? application : application.substring(0, run);
  }

  /** Takes a phase into account, if it was protected and is {@linkplain PhaseEntry#whole whole}. */
  public void learn(PhaseEntry entry) {
    if (!entry.hold().complete() || !entry.whole()) {
      return;
    }
    Known known = lengths.computeIfAbsent(signature(entry.application()), a -> new Known());
    known.learn(entry.length());
    entry.foreignBytesPerSecond().ifPresent(known::learn);
  }

  /**
   * Bytes a second that an application moves in its phases alone, the median as above; empty before
   * that is known of {@value #LEAST}. What is seen while we read says less: it is slower then.
   */
  public OptionalDouble rateOf(String application) {
    Known known = lengths.get(signature(application));
    return known == null ? OptionalDouble.empty() : known.rate;
  }

  /** What is known of an application; empty before its {@value #LEAST} protected phases. */
  public Optional<PhaseEntry.Alone> of(String application) {
    return Optional.ofNullable(lengths.get(signature(application))).flatMap(known -> known.alone);
  }

  /**
   * What is known of one application; computed when a phase has ended, since it is asked for ten
   * times a second.
   */
  private static final class Known {
    private final Deque<Duration> last = new ArrayDeque<>();
    private final Deque<Long> lastRates = new ArrayDeque<>();
    private Optional<PhaseEntry.Alone> alone = Optional.empty();
    private OptionalDouble rate = OptionalDouble.empty();

    void learn(double bytesPerSecond) {
      lastRates.add(Math.round(bytesPerSecond));
      if (lastRates.size() > KEPT) {
        lastRates.remove();
      }
      if (lastRates.size() >= LEAST) {
        rate = OptionalDouble.of((double) median(lastRates.stream().mapToLong(r -> r)));
      }
    }

    void learn(Duration length) {
      last.add(length);
      if (last.size() > KEPT) {
        last.remove();
      }
      if (last.size() >= LEAST) {
        long median = median(last.stream().mapToLong(Duration::toNanos));
        long deviation = median(last.stream().mapToLong(l -> Math.abs(l.toNanos() - median)));
        alone =
            Optional.of(
                new PhaseEntry.Alone(
                    Duration.ofNanos(median), (double) deviation / Math.max(1, median)));
      }
    }

    private static long median(LongStream values) {
      long[] sorted = values.sorted().toArray();
      int middle = sorted.length / 2;
      return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
  }
}
