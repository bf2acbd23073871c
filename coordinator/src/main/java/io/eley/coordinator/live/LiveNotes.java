package io.eley.coordinator.live;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.DeploymentReport.ApplicationReport;
import io.eley.bb.api.wire.DeploymentReport.NodeReport;
import io.eley.bb.api.wire.DeploymentReport.SourceReport;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.controller.phase.AnnouncedPhases;
import io.eley.controller.sense.CarrierSense;
import io.eley.coordinator.drivers.ReadTotals;
import io.eley.coordinator.live.LiveDocument.Level;
import io.eley.coordinator.live.LiveDocument.Note;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** What a person should know or do, by rules on the facts: a pure function, on any thread. */
final class LiveNotes {
  private static final double MIB = 1 << 20;

  /** More are no notes but a log. */
  private static final int MOST = 12;

  /** A window is ready from this share on. */
  private static final double READY = 0.95;

  /** Tasks that wait for more than this on average are worth a word. */
  private static final double NOTABLE_WAIT_SECONDS = 1;

  private LiveNotes() {}

  static List<Note> of(LiveFacts facts) {
    var notes = new ArrayList<Note>();
    DeploymentReport report = facts.report();
    nodes(report, notes);
    sources(report, notes);
    report.applications().forEach(a -> application(a, facts).ifPresent(notes::add));
    waiting(facts, notes);
    phases(facts, notes);
    notes.sort(Comparator.comparing(Note::level));
    return notes.stream().limit(MOST).toList();
  }

  private static void nodes(DeploymentReport report, List<Note> notes) {
    if (report.nodes().isEmpty()) {
      add(notes, Level.PROBLEM, "no node is here: tasks read the origin themselves", "eley doctor");
    }
    count(report, n -> n.counters().hungOriginCalls() > 0)
        .ifPresent(
            n ->
                add(
                    notes,
                    Level.PROBLEM,
                    "calls of the origin hang on " + n + ": is the file system up there?",
                    "eley doctor"));
    count(report, n -> n.counters().squeezed())
        .ifPresent(
            n ->
                add(
                    notes,
                    Level.ADVICE,
                    "others fill the RAM-disk of " + n + ", which holds less than its budget",
                    null));
    count(report, n -> n.counters().damagedBlocks() > 0)
        .ifPresent(
            n -> add(notes, Level.PROBLEM, "blocks were damaged in RAM and dropped on " + n, null));
  }

  /** The nodes of which something is true, in words. */
  private static Optional<String> count(DeploymentReport report, Predicate<NodeReport> rule) {
    var ids = report.nodes().stream().filter(rule).map(NodeReport::id).toList();
    return ids.isEmpty()
        ? Optional.empty()
        : Optional.of(ids.size() == 1 ? "node " + ids.get(0) : ids.size() + " nodes");
  }

  private static void sources(DeploymentReport report, List<Note> notes) {
    var polled =
        report.control().sources().stream()
            .filter(s -> !s.name().equals(AnnouncedPhases.KIND.name()))
            .toList();
    if (polled.stream().noneMatch(LiveNotes::seesOrWill)) {
      add(
          notes,
          Level.ADVICE,
          "nothing here sees phases by itself: have HPC jobs announce them",
          "eley phase run --app NAME -- COMMAND");
    }
    for (SourceReport source : polled) {
      if (source.state().equals("lost")) {
        add(
            notes,
            Level.PROBLEM,
            String.format(
                Locale.ROOT,
                "source %s has been silent for %.0f s%s",
                source.name(),
                source.ageMillis() / 1e3,
                source.message().isEmpty() ? "" : ": " + source.message()),
            "eley doctor");
      }
    }
  }

  /** Our own reads tell as soon as there are any: before the first one nothing is to be done. */
  private static boolean seesOrWill(SourceReport source) {
    return source.state().equals("fresh")
        || (source.name().equals(CarrierSense.KIND.name()) && source.state().equals("absent"));
  }

  /** Why an application's window is not in RAM; empty when it is, or nobody wants it there. */
  static Optional<Note> application(ApplicationReport a, LiveFacts facts) {
    DeploymentReport report = facts.report();
    if (a.windowBytesInRam() >= READY * a.windowBytes() || report.mode() == BufferMode.NAIVE_BB) {
      return Optional.empty();
    }
    long room = LiveDocuments.sum(report, NodeCounters::roomForBlocks);
    long all = report.applications().stream().mapToLong(ApplicationReport::windowBytes).sum();
    boolean scarce = all > room && a.windowBytesInRam() < a.windowBytes();
    String has =
        String.format(
            Locale.ROOT,
            "%s has %s of its next %s in RAM",
            called(a),
            mib(a.windowBytesInRam()),
            mib(a.windowBytes()));
    String why;
    if (scarce) {
      boolean alone = report.applications().size() == 1;
      why =
          (alone ? ": they" : ": all windows together (" + mib(all) + ")")
              + " are more than the nodes' RAM for input ("
              + mib(room)
              + "); give each node more RAM, or add nodes";
    } else if (facts.held()) {
      why = "; the rest waits: " + report.permitReason();
    } else {
      why = "; the rest is on its way";
    }
    Level level = scarce ? Level.ADVICE : Level.INFO;
    return Optional.of(new Note(level, has + why, "eley why " + a.application()));
  }

  private static void waiting(LiveFacts facts, List<Note> notes) {
    Map<String, ReadTotals> reads = facts.reads();
    for (ApplicationReport a : facts.report().applications()) {
      ReadTotals told = reads.getOrDefault(a.application(), ReadTotals.NONE);
      double each = told.tasks() == 0 ? 0 : told.waitedNanos() / 1e9 / told.tasks();
      if (each > NOTABLE_WAIT_SECONDS) {
        add(
            notes,
            Level.ADVICE,
            String.format(
                Locale.ROOT, "tasks of %s waited %.1f s each for their input", called(a), each),
            "eley summary");
      }
    }
  }

  private static void phases(LiveFacts facts, List<Note> notes) {
    for (var phase : facts.report().phases()) {
      add(
          notes,
          Level.INFO,
          String.format(
              Locale.ROOT,
              "%s has been in a phase for %.0f s: %s",
              phase.application(),
              phase.ageMillis() / 1e3,
              facts.report().permitReason()),
          null);
    }
  }

  private static String called(ApplicationReport a) {
    return a.name().isEmpty() ? a.application() : a.name();
  }

  private static String mib(long bytes) {
    return bytes < 1L << 30
        ? Math.round(bytes / MIB) + " MiB"
        : String.format(Locale.ROOT, "%.1f GiB", bytes / MIB / 1024);
  }

  private static void add(
      List<Note> notes,
      Level level,
      String text,
      @org.jspecify.annotations.Nullable String command) {
    notes.add(new Note(level, text, command));
  }
}
