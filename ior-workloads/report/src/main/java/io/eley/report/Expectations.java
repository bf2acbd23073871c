package io.eley.report;

import io.eley.bb.api.BufferMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the three systems are expected to do, compared with what they did. An expectation that
 * cannot be measured, for want of a run or of a phase, is not met and gives the reason.
 */
final class Expectations {
  private static final String WORD_COUNT = "WordCount";
  private static final String NAIVE = BufferMode.NAIVE_BB.label();
  private static final String NO_ACTION = BufferMode.NO_ACTION.label();
  private static final String FULL_DELAY = BufferMode.FULL_DELAY.label();

  private static final Expectation NO_ACTION_IS_FAST =
      new Expectation(
          "no-action-map-time",
          "NoAction's map phase takes at most 0.6 of NaiveBB's",
          0.6,
          "× NaiveBB");
  private static final Expectation FULL_DELAY_KEEPS_PHASES =
      new Expectation(
          "full-delay-phases",
          "FullDelay's HPC phases are within 3 % of alone",
          3,
          "% slower on average");
  private static final Expectation FULL_DELAY_IS_FASTER =
      new Expectation(
          "full-delay-map-time", "FullDelay's map phase stays below NaiveBB's", 1, "× NaiveBB");

  private static final Expectation FULL_DELAY_USES_PAUSES =
      new Expectation(
          "full-delay-pauses",
          "FullDelay prefetches in each pause between two phases",
          75,
          "% of the worst pause held");

  /** Twice the guard of forecasts: a shorter pause is gone before anybody could use it. */
  private static final double SHORTEST_PAUSE_SECONDS = 0.2;

  private Expectations() {}

  /** In words and with its bound; the bound itself is still allowed unless the sentence says so. */
  private record Expectation(String id, String sentence, double bound, String unit) {
    Verdict judged(String workload, @Nullable Double measured, boolean met, String explanation) {
      return new Verdict(id, workload, sentence, measured, bound, unit, met, explanation);
    }

    Verdict unknown(String workload, String why) {
      return judged(workload, null, false, why);
    }
  }

  static List<Verdict> judge(List<RunRecord> runs, Parameters parameters) {
    var verdicts = new ArrayList<Verdict>();
    for (var workload : runs.stream().map(RunRecord::workload).distinct().toList()) {
      if (workload.equals(WORD_COUNT)) {
        verdicts.add(mapTime(NO_ACTION_IS_FAST, runs, NO_ACTION, workload));
      }
      verdicts.add(mapTime(FULL_DELAY_IS_FASTER, runs, FULL_DELAY, workload));
      verdicts.add(phases(runs, workload));
      verdicts.add(lateBytes(runs, workload, parameters));
      verdicts.add(pauses(runs, workload));
    }
    return verdicts;
  }

  /** The ratio of medians, which are in the table for everybody to divide. */
  private static Verdict mapTime(
      Expectation expectation, List<RunRecord> runs, String mode, String workload) {
    var naive = mapSeconds(runs, NAIVE, workload);
    var ours = mapSeconds(runs, mode, workload);
    if (naive == null || ours == null || naive.median() <= 0) {
      return expectation.unknown(workload, "there is no pair of runs to compare");
    }
    double ratio = ours.median() / naive.median();
    // "at most 0.6", but "below" NaiveBB's own time.
    boolean met = ratio <= expectation.bound() && ratio < 1;
    var seconds = DistinctFigures.of(ours.median(), naive.median(), 1);
    return expectation.judged(
        workload,
        ratio,
        met,
        seconds.first()
            + " s"
            + range(ours, "%.1f")
            + " against NaiveBB's "
            + seconds.second()
            + " s"
            + range(naive, "%.1f"));
  }

  private static Verdict phases(List<RunRecord> runs, String workload) {
    var ours = ExperimentReport.find(runs, FULL_DELAY, workload);
    var phases = ours.stream().flatMap(r -> r.countedPhases().stream()).toList();
    var means = new ArrayList<@Nullable Double>();
    ours.forEach(run -> means.add(Summary.slowdownPercent(run)));
    var mean = Spread.of(means);
    if (mean == null) {
      return FULL_DELAY_KEEPS_PHASES.unknown(workload, "no phase fell into the map phase");
    }
    double worst = 100 * phases.stream().mapToDouble(PhaseRecord::slowdown).max().orElse(0);
    var figures = DistinctFigures.of(mean.median(), FULL_DELAY_KEEPS_PHASES.bound(), 1);
    return FULL_DELAY_KEEPS_PHASES.judged(
        workload,
        mean.median(),
        mean.median() <= FULL_DELAY_KEEPS_PHASES.bound(),
        text(
            "%s in the map phase: mean %s %%%s, worst %+.1f %% against %.2f s alone",
            count(phases.size(), "phase"),
            (mean.median() > 0 ? "+" : "") + figures.first(),
            range(mean, "%+.1f"),
            worst,
            phases.get(0).aloneSeconds()));
  }

  /** The worst phase of all repetitions: a promise is one of every phase. */
  private static Verdict lateBytes(List<RunRecord> runs, String workload, Parameters parameters) {
    var expectation =
        new Expectation(
            "full-delay-late-bytes",
            "Once permits are to be closed, at most one chunk per fetcher is read in a phase",
            mebibytes(parameters.inFlightBytes()),
            "MiB in the worst phase");
    var ours = ExperimentReport.find(runs, FULL_DELAY, workload);
    var phases = ours.stream().flatMap(r -> r.countedPhases().stream()).toList();
    if (phases.isEmpty()) {
      return expectation.unknown(workload, "no phase fell into the map phase");
    }
    double worst = mebibytes(phases.stream().mapToLong(PhaseRecord::lateBytes).max().orElse(0));
    var last =
        ours.stream()
            .flatMap(r -> r.holdLatencyMillis().stream())
            .mapToDouble(Double::doubleValue)
            .max();
    return expectation.judged(
        workload,
        worst,
        worst <= expectation.bound(),
        count(phases.size(), "phase")
            + (last.isPresent()
                ? text(
                    "; our last origin byte came at most %.0f ms after a phase began",
                    last.getAsDouble())
                : ""));
  }

  /** A forecast may hold half of a pause; the rest is how exactly reports tell of permits. */
  private static Verdict pauses(List<RunRecord> runs, String workload) {
    var held =
        ExperimentReport.find(runs, FULL_DELAY, workload).stream()
            .flatMap(run -> heldParts(run).stream())
            .toList();
    if (held.isEmpty()) {
      return FULL_DELAY_USES_PAUSES.unknown(workload, "no pause fell into the map phase");
    }
    double worst = 100 * held.stream().mapToDouble(h -> h).max().orElse(0);
    double mean = 100 * held.stream().mapToDouble(h -> h).average().orElse(0);
    return FULL_DELAY_USES_PAUSES.judged(
        workload,
        worst,
        worst <= FULL_DELAY_USES_PAUSES.bound(),
        text("%s: permits were closed for %.0f %% on average", count(held.size(), "pause"), mean));
  }

  private static String range(Spread spread, String format) {
    return spread.varies() ? " [" + spread.range(format) + "]" : "";
  }

  private static String count(int many, String what) {
    return many + " " + what + (many == 1 ? "" : "s");
  }

  /** For each pause between two phases that count, the part for which a permit was closed. */
  private static List<Double> heldParts(RunRecord run) {
    var parts = new ArrayList<Double>();
    var phases = run.countedPhases();
    for (int i = 1; i < phases.size(); i++) {
      var before = phases.get(i - 1);
      var pause =
          new RunTimeline.Span(
              before.startSeconds() + before.seconds(), phases.get(i).startSeconds());
      if (pause.length() > SHORTEST_PAUSE_SECONDS) {
        double held =
            run.timeline().closedPermits().stream().mapToDouble(c -> c.overlap(pause)).sum();
        parts.add(held / pause.length());
      }
    }
    return parts;
  }

  private static @Nullable Spread mapSeconds(List<RunRecord> runs, String mode, String workload) {
    var seconds = new ArrayList<@Nullable Double>();
    ExperimentReport.find(runs, mode, workload).forEach(run -> seconds.add(run.mapSeconds()));
    return Spread.of(seconds);
  }

  private static double mebibytes(long bytes) {
    return bytes / (double) (1 << 20);
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
