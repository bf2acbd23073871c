package io.eley.simulation;

import io.eley.bb.api.BufferMode;
import io.eley.simulation.Testbed.Trial;
import io.eley.simulation.TestbedRun.Outcome;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Repeats the experiment on the testbed, with the columns of the real one's report. */
public final class TestbedTable {
  private static final int FIRST = 3;

  /** The runs of one kind. */
  record Row(Trial trial, List<Outcome> runs) {
    double mapSeconds() {
      return median(runs.stream().mapToDouble(Outcome::mapSeconds));
    }

    /** Median of the phases of these numbers in all runs, in seconds; NaN when none counts. */
    double phaseSeconds(int from, int to) {
      return median(phases(from, to));
    }

    double phaseSeconds() {
      return phaseSeconds(0, Testbed.IOR.phases());
    }

    double worstPhaseSeconds() {
      return phases(0, Testbed.IOR.phases()).max().orElse(Double.NaN);
    }

    private DoubleStream phases(int from, int to) {
      return runs.stream()
          .flatMapToDouble(
              run -> counted(run, from, to).mapToDouble(i -> run.phases().get(i).seconds()));
    }

    private static IntStream counted(Outcome run, int from, int to) {
      return IntStream.range(from, Math.min(to, run.phases().size())).filter(run::counts);
    }

    private static IntStream counted(Outcome run) {
      return counted(run, 0, run.phases().size());
    }

    /** Whether it holds at all; for the others a phase without a hold means nothing. */
    boolean holds() {
      return trial.mode() == BufferMode.FULL_DELAY;
    }

    /** Median of all phases, from the first byte to the hold; a phase without one counts whole. */
    double heldMillis() {
      return median(held());
    }

    double worstHeldMillis() {
      return held().max().orElse(Double.NaN);
    }

    private DoubleStream held() {
      return runs.stream()
          .flatMapToDouble(
              run ->
                  counted(run)
                      .mapToDouble(
                          phase -> {
                            double held = run.heldAfterMillis().get(phase);
                            return held < 0 ? 1000 * run.phases().get(phase).seconds() : held;
                          }));
    }

    private double oursMib() {
      return median(
              runs.stream().mapToDouble(r -> counted(r).mapToLong(i -> r.ourBytes().get(i)).sum()))
          / Testbed.MIB;
    }

    private int inLedger() {
      return runs.stream().mapToInt(Outcome::ledgerPhases).sum();
    }
  }

  private TestbedTable() {}

  /** Runs each trial with as many seeds, from 1 on. */
  static List<Row> run(Testbed bed, int repeat) {
    var rows = new ArrayList<Row>();
    for (Trial trial : Trial.values()) {
      rows.add(run(bed, trial, repeat));
    }
    return rows;
  }

  static Row run(Testbed bed, Trial trial, int repeat) {
    return new Row(
        trial,
        IntStream.rangeClosed(1, repeat)
            .mapToObj(seed -> new TestbedRun(bed, trial, seed).run())
            .toList());
  }

  /** Runs all trials and prints a line for each. */
  public static void print(Testbed bed, int repeat, PrintWriter out) {
    List<Row> rows = run(bed, repeat);
    double alone = row(rows, Trial.HPC_ALONE).phaseSeconds();
    double naive = row(rows, Trial.NAIVE_BB).mapSeconds();
    out.printf(
        Locale.ROOT,
        "4 servers of %.0f MB/s; IOR alone: %.2f s a phase%n%n",
        bed.serverBytesPerSecond() / 1e6,
        alone);
    out.printf(
        "%-20s %5s %6s %7s %10s %8s %8s %8s %6s %9s %8s%n",
        "System",
        "Runs",
        "Map s",
        "/Naive",
        "First 3 %",
        "Later %",
        "Worst %",
        "Held ms",
        "Worst",
        "Ours MiB",
        "Ledger");
    rows.forEach(row -> printRow(row, alone, naive, out));
    out.printf(
        "%nMedians, Ours of a run. First 3, Later, Worst: how much longer than alone the phases in"
            + " the map%nphase took. Held: from a phase's first byte to the decision to hold, or"
            + " all of the phase when%nthere was none.%n");
    out.flush();
  }

  private static Row row(List<Row> rows, Trial trial) {
    return rows.stream().filter(row -> row.trial() == trial).findFirst().orElseThrow();
  }

  private static void printRow(Row row, double alone, double naive, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%-20s %5d %6s %7s %10s %8s %8s %8s %6s %9.1f %3d of %d%n",
        row.trial().label(),
        row.runs().size(),
        row.mapSeconds() > 0 ? decimals(1, row.mapSeconds()) : "-",
        row.mapSeconds() > 0 ? decimals(2, row.mapSeconds() / naive) : "-",
        percent(row.phaseSeconds(0, FIRST), alone),
        percent(row.phaseSeconds(FIRST, Testbed.IOR.phases()), alone),
        percent(row.worstPhaseSeconds(), alone),
        row.holds() ? millis(row.heldMillis()) : "-",
        row.holds() ? millis(row.worstHeldMillis()) : "-",
        row.oursMib(),
        row.inLedger(),
        row.runs().size() * Testbed.IOR.phases());
    row.runs().forEach(run -> run.breaches().forEach(b -> out.println("BREACH " + b)));
  }

  private static String decimals(int digits, double value) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  private static String millis(double value) {
    return Double.isNaN(value) ? "-" : Long.toString(Math.round(value));
  }

  /** How much longer than alone; a dash where no phase counts. */
  private static String percent(double seconds, double alone) {
    return Double.isNaN(seconds)
        ? "-"
        : String.format(Locale.ROOT, "%+.1f", 100 * (seconds / alone - 1));
  }

  private static double median(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    if (sorted.length == 0) {
      return Double.NaN;
    }
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
}
