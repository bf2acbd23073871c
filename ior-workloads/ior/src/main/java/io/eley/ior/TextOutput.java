package io.eley.ior;

import io.eley.ior.IorResult.Phase;
import io.eley.ior.IorResult.Removal;
import io.eley.ior.IorResult.Stamp;
import io.eley.ior.IorResult.Summary;
import io.eley.ior.IorResult.Warning;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * IOR's own text: header, options, a line a phase, a summary. With {@code -v} removals and the best
 * rates, with {@code -vv} the pauses, with {@code -vvv} the parameters and every task's times of
 * day.
 */
final class TextOutput {
  private static final String COLUMNS =
      "access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)  "
          + " close(s)   total(s)   iter\n"
          + "------    ---------  ----       ----------  ---------- ---------  --------   -------- "
          + "  --------   --------   ----\n";
  private static final String SUMMARY_COLUMNS =
      "Operation   Max(MiB)   Min(MiB)  Mean(MiB)     StdDev   Max(OPs)   Min(OPs)  Mean(OPs)    "
          + " StdDev    Mean(s) Stonewall(s) Stonewall(MiB) Test# #Tasks tPN reps fPP reord"
          + " reordoff reordrand seed segcnt   blksiz    xsize aggs(MiB)   API RefNum\n";
  private static final double MIB_IN_MB = 1.048576;

  private final IorRunRecord run;
  private final IorOptions options;
  private final Appendable out;

  private TextOutput(IorRunRecord run, Appendable out) {
    this.run = run;
    this.options = run.options();
    this.out = out;
  }

  static void write(IorRunRecord run, Appendable out) throws IOException {
    var text = new TextOutput(run, out);
    text.printHeader();
    text.printPhases();
    text.printSummary();
  }

  private void printHeader() throws IOException {
    Machine.Storage storage = run.machine().storage();
    printLine("IOR-" + run.machine().version() + ": MPI Coordinated Test of Parallel I/O");
    printField("Began", run.beganText());
    printField("Command line", run.commandLine());
    printField("Machine", run.machineText());
    printField("TestID", 0);
    printField("StartTime", run.beganText());
    printField("Path", options.fileOf(0));
    printFormatted(
        "%-20s: %s   Used FS: %s   Inodes: %s   Used Inodes: %s\n",
        "FS", storage.size(), storage.used(), storage.inodes(), storage.usedInodes());
    if (options.verbose() >= 3) {
      printSection("Parameters", OutputFields.parameters(options, run.machine()));
    }
    printSection("Options", OutputFields.options(options));
  }

  private void printSection(String name, Map<String, Object> fields) throws IOException {
    printLine("");
    printLine(name + ": ");
    for (var field : fields.entrySet()) {
      printField(field.getKey(), field.getValue());
    }
  }

  private void printPhases() throws IOException {
    printLine("");
    printLine("Results: ");
    printLine("");
    out.append(COLUMNS);
    List<Phase> phases = run.result().phases();
    for (int i = 0; i < phases.size(); i++) {
      printBefore(i, phases.get(i));
      printPhase(phases.get(i));
      if (i + 1 == phases.size() || phases.get(i + 1).iteration() > phases.get(i).iteration()) {
        printRemoval(phases.get(i).iteration());
      }
    }
    if (options.verbose() > 0) {
      printBest();
    }
  }

  private void printBefore(int index, Phase phase) throws IOException {
    if (options.verbose() >= 2 && options.pacing().delay() > 0) {
      printLine("delaying " + options.pacing().delay() + " seconds . . .");
    }
    boolean first = true;
    for (Stamp s : run.result().details().stamps()) {
      if (s.iteration() == phase.iteration() && s.operation().equals(phase.operation())) {
        if (first) {
          printFormatted(
              "Commencing %s performance test: %s\n", s.operation(), run.timeText(s.epochMicros()));
          first = false;
        }
        printStamp(s);
      }
    }
    for (Warning warning : run.result().warnings()) {
      if (warning.phase() == index) {
        printLine("WARNING: " + warning.text());
      }
    }
  }

  private void printStamp(Stamp s) throws IOException {
    printFormatted(
        "Test 0: Iter=%d, Task=%d, Time=%d.%06d, %s %s\n",
        s.iteration(),
        s.task(),
        s.epochMicros() / 1_000_000,
        s.epochMicros() % 1_000_000,
        s.operation(),
        s.event());
  }

  private void printPhase(Phase p) throws IOException {
    var t = p.times();
    printFormatted(
        "%-9s %s %s %s  %s %s %s %s %s %s %-4d\n",
        p.operation(),
        column(p.mebibytesPerSecond()),
        column(p.iops()),
        column(p.latency()),
        column(p.blockKibibytes()),
        column(p.transferKibibytes()),
        column(t.open()),
        column(t.transfer()),
        column(t.close()),
        column(t.total()),
        p.iteration());
  }

  private void printRemoval(int iteration) throws IOException {
    for (Removal r : run.result().details().removals()) {
      if (options.verbose() > 0 && r.iteration() == iteration) {
        String none = String.format(Locale.ROOT, "%-10s", "-");
        printFormatted("%-9s %s %s %s  ", "remove", none, none, none);
        printFormatted(
            "%s %s %s %s %s %s %-4d\n",
            none, none, none, none, none, column(r.seconds()), iteration);
      }
    }
  }

  private void printBest() throws IOException {
    for (Summary s : run.result().summaries()) {
      double best = s.rates().max();
      printFormatted(
          "%-10s %.2f MiB/sec (%.2f MB/sec)\n",
          s.operation().equals("write") ? "Max Write:" : "Max Read:", best, best * MIB_IN_MB);
    }
  }

  private void printSummary() throws IOException {
    printLine("");
    printLine("Summary of all tests:");
    out.append(SUMMARY_COLUMNS);
    for (Summary summary : run.result().summaries()) {
      printRates(summary);
      printShape(summary);
    }
    printField("Finished", run.finishedText());
  }

  private void printRates(Summary s) throws IOException {
    var r = s.rates();
    printFormatted("%-9s", s.operation());
    printFormatted(" %10.2f %10.2f %10.2f %10.2f", r.max(), r.min(), r.mean(), r.deviation());
    printFormatted(
        " %10.2f %10.2f %10.2f %10.2f",
        OutputFields.operations(options, r.max()),
        OutputFields.operations(options, r.min()),
        OutputFields.operations(options, r.mean()),
        OutputFields.operations(options, r.deviation()));
    printFormatted(
        " %10.5f %10s %13s",
        s.meanSeconds(), wall(s.stonewall().seconds()), wall(s.stonewall().mebibytes()));
  }

  private void printShape(Summary s) throws IOException {
    var shape = options.shape();
    printFormatted(
        " %5d %6d %3d %4d %3d %5d %8d %9d %4d",
        0,
        s.tasks(),
        s.tasks(),
        shape.repetitions(),
        OutputFields.bit(options.access().filePerTask()),
        OutputFields.bit(options.access().reorder()),
        1,
        0,
        0);
    printFormatted(
        " %6d %8d %8d %9.1f %s %6d\n",
        shape.segments(),
        shape.block().bytes(),
        shape.transfer().bytes(),
        s.aggregateMebibytes(),
        "POSIX",
        0);
  }

  private static String wall(java.util.OptionalDouble value) {
    return value.isPresent() ? String.format(Locale.ROOT, "%.2f", value.getAsDouble()) : "NA";
  }

  /** Ten characters; the larger the number, the fewer decimals. */
  private static String column(double value) {
    int decimals = value < 1 ? 6 : value < 3600 ? 2 : 0;
    return String.format(Locale.ROOT, "%-10." + decimals + "f", value);
  }

  private void printField(String name, Object value) throws IOException {
    printFormatted("%-20s: %s\n", name, value);
  }

  private void printLine(String text) throws IOException {
    out.append(text).append('\n');
  }

  private void printFormatted(String format, Object... values) throws IOException {
    out.append(String.format(Locale.ROOT, format, values));
  }
}
