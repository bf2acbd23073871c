package io.eley.cli.render;

import io.eley.prefetcher.control.PhaseEntry;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The ledger for a person, a line a phase. */
public final class LedgerTable {
  private static final double MIB = 1 << 20;

  private LedgerTable() {}

  /** The table with its header, or one line that says that it is empty. */
  public static void print(List<PhaseEntry> entries, PrintWriter out) {
    if (entries.isEmpty()) {
      out.println("no phase yet");
      return;
    }
    out.printf(
        Locale.ROOT,
        "%-20s %-16s %-10s %8s %9s %8s %9s %7s %8s %9s  %s%n",
        "began",
        "application",
        "source",
        "s",
        "foreseen",
        "alone s",
        "slower %",
        "hold ms",
        "held",
        "ours MiB",
        "decision");
    for (PhaseEntry e : entries) {
      out.printf(
          Locale.ROOT,
          "%-20s %-16s %-10s %8.2f %9s %8s %9s %7s %5d/%-2d %9.1f  %s%n",
          e.began().truncatedTo(ChronoUnit.SECONDS),
          e.application(),
          e.source(),
          seconds(e.length()),
          e.predicted().map(p -> foreseen(e, p)).orElse("-"),
          e.alone().map(a -> decimal("%.2f", seconds(a.length()))).orElse("-"),
          e.slowdown().map(s -> slower(e, s)).orElse("-"),
          e.hold().latency().map(l -> decimal("%.1f", 1e3 * seconds(l))).orElse("-"),
          e.hold().confirmed(),
          e.hold().nodes(),
          e.ourTotal() / MIB,
          e.decision() + observed(e));
    }
  }

  /** In percent, or what it would have to exceed to be told from noise. */
  private static String slower(PhaseEntry e, double slowdown) {
    return Slowdown.told(slowdown, e.slowdownError())
        ? decimal("%+.1f", 100 * slowdown)
        : decimal("<%.1f", 100 * e.slowdownError());
  }

  /** What is worth knowing of how it was observed, in brackets. */
  private static String observed(PhaseEntry e) {
    String ending = e.ending().equals("ANNOUNCED") ? "" : e.ending();
    String notes =
        Stream.of(ending, e.observed().corrections())
            .filter(note -> !note.isEmpty())
            .collect(Collectors.joining(", "));
    return notes.isEmpty() ? "" : " (" + notes + ")";
  }

  /** How far off the forecast was, and whether permits were closed before the phase. */
  private static String foreseen(PhaseEntry e, PhaseEntry.Predicted p) {
    double off = seconds(Duration.between(p.begin(), e.began()));
    return decimal("%+.1f s", off) + (p.closedBefore() ? "" : "!");
  }

  private static double seconds(Duration d) {
    return d.toNanos() / 1e9;
  }

  private static String decimal(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
