package io.eley.coordinator.live;

import io.eley.bb.api.wire.DeploymentReport.ApplicationReport;
import io.eley.coordinator.drivers.ReadTotals;
import io.eley.prefetcher.control.PhaseEntry;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What there is to say of one Spark application: a pure function. */
final class ApplicationWords {
  private static final int MOST_NAMES = 5;

  private ApplicationWords() {}

  static List<String> of(ApplicationReport a, LiveFacts facts, Instant began) {
    return List.of(waits(a, facts), reads(a, facts), phases(facts, began));
  }

  private static String waits(ApplicationReport a, LiveFacts facts) {
    return LiveNotes.application(a, facts)
        .map(LiveDocument.Note::text)
        .orElse(
            a.windowBytes() == 0
                ? a.application() + " has told of nothing that it will read next"
                : "the next wave of " + a.application() + " is in RAM");
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
  static String phases(LiveFacts facts, Instant began) {
    Map<String, List<PhaseEntry>> met =
        facts.past().stream()
            .filter(e -> e.began().plus(e.length()).isAfter(began))
            .collect(
                Collectors.groupingBy(
                    PhaseEntry::application, LinkedHashMap::new, Collectors.toList()));
    var open = facts.report().openPhases();
    if (met.isEmpty() && open.isEmpty()) {
      return "phases of HPC applications met: none";
    }
    String over =
        met.entrySet().stream()
            .limit(MOST_NAMES)
            .map(e -> phases(e.getKey(), e.getValue()))
            .collect(Collectors.joining(", "));
    return "phases of HPC applications met: "
        + over
        + (met.size() > MOST_NAMES ? ", and of " + (met.size() - MOST_NAMES) + " more" : "")
        + (open.isEmpty() ? "" : (over.isEmpty() ? "" : "; ") + "open now: " + names(open));
  }

  private static String names(List<String> all) {
    return all.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
  }

  private static String phases(String application, List<PhaseEntry> entries) {
    double seconds = entries.stream().mapToDouble(e -> e.length().toNanos() / 1e9).sum();
    var judged = entries.stream().filter(e -> e.slowdown().isPresent()).toList();
    Double slower = LiveDocuments.median(judged, e -> e.slowdown().orElse(0.0));
    Double error = LiveDocuments.median(judged, PhaseEntry::slowdownError);
    return String.format(
        Locale.ROOT,
        "%d of %s (%.1f s, %s)",
        entries.size(),
        application,
        seconds,
        slower == null || error == null
            ? "alone not known yet"
            : Math.abs(slower) <= error
                ? String.format(Locale.ROOT, "as alone to %.1f %%", error)
                : String.format(Locale.ROOT, "%+.1f %% against alone", slower));
  }
}
