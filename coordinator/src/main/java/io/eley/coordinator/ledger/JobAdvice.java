package io.eley.coordinator.ledger;

import io.eley.prefetcher.control.AloneLengths;
import io.eley.prefetcher.control.PhaseEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/**
 * What the phases of one HPC job were like, from the ledger, for whoever requests the next run.
 *
 * @param name of the job and its user, without the number of a run
 * @param phases how many
 * @param seconds median length of a phase
 * @param periodSeconds median from one begin to the next in one run; empty for a single phase
 * @param periods how many of those there were
 * @param held in how many phases all nodes held prefetching
 * @param slowdown median against running alone, as a fraction
 * @param slowdownError how far off that may be, as a fraction: the median of its phases'
 * @param slowdowns of how many phases that is known
 * @param foreseen for how many phases prefetching was held before they began
 * @param bytesPerSecond median rate in a phase; empty when no source could tell
 * @param shareOfMost that rate as a fraction of the highest that any job was seen to reach
 */
public record JobAdvice(
    String name,
    int phases,
    double seconds,
    OptionalDouble periodSeconds,
    int periods,
    long held,
    OptionalDouble slowdown,
    double slowdownError,
    int slowdowns,
    long foreseen,
    OptionalDouble bytesPerSecond,
    double shareOfMost) {
  /** From so many periods on a prediction could have been made. */
  public static final int PERIODS_TO_PREDICT = 4;

  /** Pauses longer than this are between runs, of a name that has no number of a run. */
  private static final Duration LONGEST_PERIOD = Duration.ofHours(1);

  /**
   * The advice on a job.
   *
   * @param job a job's number, an application's name as the ledger has it, or that without the
   *     number of a run, or without the user too: then of all runs
   * @return empty when the ledger has no phase of the job
   */
  public static Optional<JobAdvice> from(List<PhaseEntry> ledger, String job) {
    List<PhaseEntry> own = ledger.stream().filter(e -> isOf(job, e.application())).toList();
    return own.isEmpty() ? Optional.empty() : Optional.of(from(ledger, own));
  }

  private static boolean isOf(String job, String application) {
    String signature = AloneLengths.signature(application);
    return application.equals(job)
        || application.endsWith("#" + job)
        || signature.equals(job)
        || signature.startsWith(job + "@");
  }

  private static JobAdvice from(List<PhaseEntry> ledger, List<PhaseEntry> own) {
    double[] periods = periods(own);
    double[] slower = present(own.stream().map(PhaseEntry::slowdown).toList());
    double[] rates = present(own.stream().map(PhaseEntry::foreignBytesPerSecond).toList());
    double[] all = present(ledger.stream().map(PhaseEntry::foreignBytesPerSecond).toList());
    OptionalDouble rate = median(rates);
    return new JobAdvice(
        AloneLengths.signature(own.get(0).application()),
        own.size(),
        median(own.stream().mapToDouble(e -> seconds(e.length())).toArray()).orElse(0),
        median(periods),
        periods.length,
        own.stream().filter(e -> e.hold().complete()).count(),
        median(slower),
        median(
                own.stream()
                    .filter(e -> e.slowdown().isPresent())
                    .mapToDouble(PhaseEntry::slowdownError)
                    .toArray())
            .orElse(0),
        slower.length,
        own.stream()
            .flatMap(e -> e.predicted().stream())
            .filter(PhaseEntry.Predicted::closedBefore)
            .count(),
        rate,
        rate.orElse(0) / Math.max(1, DoubleStream.of(all).max().orElse(1)));
  }

  /** From begin to begin, within one run. */
  private static double[] periods(List<PhaseEntry> phases) {
    var periods = new ArrayList<Double>();
    for (int i = 1; i < phases.size(); i++) {
      PhaseEntry before = phases.get(i - 1);
      var apart = Duration.between(before.began(), phases.get(i).began());
      String name = phases.get(i).application();
      if (before.application().equals(name)
          && (name.indexOf('#') >= 0 || apart.compareTo(LONGEST_PERIOD) < 0)) {
        periods.add(seconds(apart));
      }
    }
    return periods.stream().mapToDouble(p -> p).toArray();
  }

  private static double[] present(List<Optional<Double>> values) {
    return values.stream().flatMap(Optional::stream).mapToDouble(v -> v).toArray();
  }

  private static OptionalDouble median(double[] values) {
    if (values.length == 0) {
      return OptionalDouble.empty();
    }
    double[] sorted = DoubleStream.of(values).sorted().toArray();
    int middle = sorted.length / 2;
    return OptionalDouble.of(
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2);
  }

  private static double seconds(Duration d) {
    return d.toNanos() / 1e9;
  }
}
