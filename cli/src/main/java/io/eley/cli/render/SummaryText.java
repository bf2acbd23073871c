package io.eley.cli.render;

import io.eley.bb.api.wire.DeploymentReport;
import io.eley.prefetcher.control.PhaseEntry;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** What a deployment was worth: what was read, which phases were met, what to change next time. */
public final class SummaryText {
  private static final double MIB = 1 << 20;

  /** Of what was read; less is no percent. */
  private static final double LEAST_SHARE = 0.005;

  private static final int MOST_NAMES = 5;

  private SummaryText() {}

  /**
   * Three lines, of the time since the coordinator's start.
   *
   * @param ledger all that it has, also of earlier coordinators
   * @param now time of day of the report
   * @param options by which the buffer gets its size
   */
  public static List<String> lines(
      DeploymentReport report, List<PhaseEntry> ledger, Instant now, SizeOptions options) {
    var use = BufferUse.of(report, ledger, now);
    return List.of(reads(use), phases(use), "next time: " + NextTime.advice(use, options));
  }

  private static String reads(BufferUse use) {
    if (use.readBytes() == 0) {
      return "nothing was read through the buffer";
    }
    long tasks = use.totals().tasks();
    long mebibytes = Math.round(use.readBytes() / MIB);
    long percent = Math.round(100 * (1 - use.missed()));
    if (tasks == 0) {
      return String.format(
          Locale.ROOT,
          "no task has read through the buffer yet; others have read %dm, %d %% of it from RAM",
          mebibytes,
          percent);
    }
    int applications = use.totals().applications();
    double waited = use.totals().waitedMillis() / 1e3;
    return String.format(
        Locale.ROOT,
        "%s of %s read %dm, %d %% of it from RAM%s; they waited %.1f s for it, %.2f s each",
        Plural.of(tasks, "task"),
        Plural.of(applications, "application"),
        mebibytes,
        percent,
        past(use),
        waited,
        waited / Math.max(1, tasks));
  }

  private static String past(BufferUse use) {
    return use.past() < LEAST_SHARE
        ? ""
        : String.format(Locale.ROOT, ", %d %% past the nodes", Math.round(100 * use.past()));
  }

  private static String phases(BufferUse use) {
    List<PhaseEntry> met = use.phases();
    if (met.isEmpty()) {
      return "no phase of others was met";
    }
    return String.format(
        Locale.ROOT,
        "%s of others, %.1f s in all: %s; all nodes held in %d; %s",
        Plural.of(met.size(), "phase"),
        use.phaseSeconds(),
        met.stream()
            .map(PhaseEntry::application)
            .distinct()
            .limit(MOST_NAMES)
            .collect(Collectors.joining(", ")),
        met.stream().filter(e -> e.hold().complete()).count(),
        slowdown(met));
  }

  private static String slowdown(List<PhaseEntry> met) {
    List<PhaseEntry> known = met.stream().filter(e -> e.slowdown().isPresent()).toList();
    OptionalDouble slower = median(known.stream().mapToDouble(e -> e.slowdown().orElse(0.0)));
    OptionalDouble error = median(known.stream().mapToDouble(PhaseEntry::slowdownError));
    return slower.isEmpty()
        ? "how long they take alone is not known yet"
        : Slowdown.text(slower.getAsDouble(), error.orElse(0))
            + " (median of "
            + known.size()
            + ")";
  }

  private static OptionalDouble median(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    return sorted.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2);
  }
}
