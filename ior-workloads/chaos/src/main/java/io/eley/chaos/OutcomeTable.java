package io.eley.chaos;

import io.eley.chaos.Outcome.Times;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Prints an outcome: a table as a page of documentation takes it, and below it what went wrong. */
final class OutcomeTable {
  private static final int SHOWN = 5;

  private final PrintWriter out;

  OutcomeTable(PrintWriter out) {
    this.out = out;
  }

  void print(long firstSeed, Outcome outcome) {
    Findings found = outcome.found();
    Times times = outcome.times();
    out.println("|   |   |\n|---|---|");
    row("runs", "%d, seeds %d to %d", times.runs(), firstSeed, firstSeed + times.runs() - 1);
    row("reads compared", "%d of %.1f MiB in all", found.reads(), found.bytes() / 1048576.0);
    row("faults", "%s", faults(outcome));
    row("wrong bytes", "%d", found.wrong().size());
    row("failed reads", "%d", found.failed().size());
    row("streams closed with `STALE_VERSION` after a replacement", "%d", found.replaced());
    row(
        "standstill of one call",
        "median %.1f ms, 99 %% %.1f ms, longest %.2f s (seed %d)",
        found.standstillMillis(50),
        found.standstillMillis(99),
        outcome.standstill(),
        outcome.worstSeed());
    row(
        "a run",
        "%.2f s, %.2f s of it until all nodes were back (%.1f s at most)",
        seconds(times.all()) / Math.max(1, times.runs()),
        seconds(times.recovering()) / Math.max(1, times.runs()),
        seconds(times.longestRecovery()));
    outcome.missing().forEach(what -> row("not tried", "%s", what));
    show("wrong bytes", found.wrong());
    show("failed reads", found.failed());
    out.flush();
  }

  private static String faults(Outcome outcome) {
    return new TreeMap<>(outcome.faults())
        .entrySet().stream()
            .map(e -> e.getValue() + " × " + e.getKey().words())
            .collect(Collectors.joining(", "));
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1e3;
  }

  private void row(String name, String format, Object... values) {
    out.printf("| %s | %s |%n", name, String.format(Locale.ROOT, format, values));
  }

  private void show(String what, List<String> lines) {
    lines.stream().limit(SHOWN).forEach(line -> out.println(what + ": " + line));
    if (lines.size() > SHOWN) {
      out.printf("… and %d more%n", lines.size() - SHOWN);
    }
  }
}
