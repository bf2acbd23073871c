package io.eley.coordinator.live;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.wire.DeploymentReport.ApplicationReport;
import io.eley.coordinator.drivers.ReadTotals;
import io.eley.prefetcher.control.PhaseEntry;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What there is to say of one Spark application: a pure function. */
final class ApplicationWords {
  private static final int MOST_NAMES = 5;

  private ApplicationWords() {}

  /**
   * The lines.
   *
   * @param met what others did since the application began
   */
  static List<String> of(ApplicationReport a, LiveFacts facts, PhaseHistory.Met met) {
    return List.of(waits(a, facts), reads(a, facts), phases(facts.report().openPhases(), met));
  }

  private static String waits(ApplicationReport a, LiveFacts facts) {
    BufferMode mode = facts.report().mode();
    if (mode == BufferMode.NAIVE_BB) {
      return a.application()
          + " reads the origin itself: this deployment prefetches nothing ("
          + mode
          + ")";
    }
    if (a.windowBytes() == 0) {
      return a.endedSplits() < a.plannedSplits()
          ? "the plan of "
              + a.application()
              + " is left to be read on demand: ask `eley why "
              + a.application()
              + "/STAGE/TASK`"
          : a.application() + " has told of nothing that it will read next";
    }
    return LiveNotes.application(a, facts)
        .map(LiveDocument.Note::text)
        .orElse("what " + a.application() + " reads next is in RAM");
  }

  private static String reads(ApplicationReport a, LiveFacts facts) {
    ReadTotals reads = facts.reads().getOrDefault(a.application(), ReadTotals.NONE);
    Double saved = LiveDocuments.saved(reads, facts.originNanosPerByte());
    return String.format(
        Locale.ROOT,
        "its %s read %d MiB and waited %.1f s for it%s",
        reads.tasks() == 1 ? "one task" : reads.tasks() + " tasks",
        reads.bytes() >> 20,
        reads.waitedNanos() / 1e9,
        saved == null
            ? ""
            : String.format(
                Locale.ROOT, "; that saved about %.0f s against reading the origin", saved));
  }

  /** One application after the other, that of the first phase first. */
  static String phases(List<String> open, PhaseHistory.Met all) {
    var met = all.figures();
    if (met.isEmpty() && open.isEmpty()) {
      return "phases of HPC applications met: none";
    }
    String over =
        met.stream()
            .limit(MOST_NAMES)
            .map(figures -> (all.complete() ? "" : "at least ") + phases(figures))
            .collect(Collectors.joining(", "));
    return "phases of HPC applications met: "
        + over
        + (met.size() > MOST_NAMES ? ", and of " + (met.size() - MOST_NAMES) + " more" : "")
        + (open.isEmpty() ? "" : (over.isEmpty() ? "" : "; ") + "open now: " + names(open));
  }

  private static String names(List<String> all) {
    return all.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
  }

  private static String phases(PhaseHistory.Figures met) {
    Double slower = LiveDocuments.median(met.judged(), e -> e.slowdown().orElse(0.0));
    Double error = LiveDocuments.median(met.judged(), PhaseEntry::slowdownError);
    return String.format(
        Locale.ROOT,
        "%d of %s (%.1f s, %s)",
        met.phases(),
        met.application(),
        met.seconds(),
        slower == null || error == null
            ? "alone not known yet"
            : Math.abs(slower) <= error
                ? String.format(Locale.ROOT, "as alone to %.1f %%", error)
                : String.format(Locale.ROOT, "%+.1f %% against alone", slower));
  }
}
