package io.eley.ior;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** IOR's own text: header, options, a line a phase, a summary. */
final class TextOutput {
  private static final String COLUMNS =
      "access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)  "
          + " close(s)   total(s)   iter\n"
          + "------    ---------  ----       ----------  ---------- ---------  --------   --------  "
          + " --------   --------   ----\n";
  private static final String SUMMARY_COLUMNS =
      "Operation   Max(MiB)   Min(MiB)  Mean(MiB)     StdDev   Max(OPs)   Min(OPs)  Mean(OPs)    "
          + " StdDev    Mean(s) Stonewall(s) Stonewall(MiB) Test# #Tasks tPN reps fPP reord reordoff"
          + " reordrand seed segcnt   blksiz    xsize aggs(MiB)   API RefNum\n";

  private TextOutput() {}

  static void write(IorRunRecord run, Appendable out) throws IOException {
    out.append("IOR-" + IorRunRecord.VERSION + ": MPI Coordinated Test of Parallel I/O\n");
    header(out, "Began", run.beganText());
    header(out, "Command line", run.commandLine());
    header(out, "Machine", IorRunRecord.machine());
    header(out, "TestID", "0");
    header(out, "StartTime", run.beganText());
    header(out, "Path", run.options().fileOf(0));
    out.append("\nOptions: \n");
    for (var option : options(run.options()).entrySet()) {
      header(out, option.getKey(), option.getValue());
    }
    out.append("\nResults: \n\n").append(COLUMNS);
    for (var phase : run.result().phases()) {
      out.append(phase(phase));
    }
    out.append("\nSummary of all tests:\n").append(SUMMARY_COLUMNS);
    for (var summary : run.result().summaries()) {
      out.append(summary(run.options(), summary));
    }
    header(out, "Finished", run.finishedText());
  }

  /** The options under the names that IOR's text and JSON give them. */
  static Map<String, String> options(IorOptions o) {
    var options = new LinkedHashMap<String, String>();
    options.put("api", "POSIX");
    options.put("apiVersion", "");
    options.put("test filename", o.file());
    options.put("access", o.access().filePerTask() ? "file-per-process" : "single-shared-file");
    options.put("type", "independent");
    options.put("segments", Integer.toString(o.segments()));
    options.put("ordering in a file", "sequential");
    options.put("ordering inter file", "no tasks offsets");
    options.put("nodes", "1");
    options.put("tasks", Integer.toString(o.tasks()));
    options.put("clients per node", Integer.toString(o.tasks()));
    options.put("repetitions", Integer.toString(o.repetitions()));
    options.put("xfersize", size(o.transfer().bytes()));
    options.put("blocksize", size(o.block().bytes()));
    options.put("aggregate filesize", size(o.totalBytes()));
    return options;
  }

  private static void header(Appendable out, String name, String value) throws IOException {
    out.append(String.format(Locale.ROOT, "%-20s: %s%n", name, value));
  }

  private static String phase(IorResult.Phase p) {
    var t = p.times();
    return String.format(
        Locale.ROOT,
        "%-9s %-10.2f %-10.2f %-11.6f %-10.0f %-10.2f %-10.6f %-10.6f %-10.6f %-10.6f %-4d%n",
        p.operation(),
        p.mebibytesPerSecond(),
        p.iops(),
        p.latency(),
        p.blockKibibytes(),
        p.transferKibibytes(),
        t.open(),
        t.transfer(),
        t.close(),
        t.total(),
        p.iteration());
  }

  private static String summary(IorOptions o, IorResult.Summary s) {
    double transfers = (double) o.transfer().bytes() / (1 << 20);
    return String.format(
        Locale.ROOT,
        "%-9s %10.2f %10.2f %10.2f %10.2f %10.2f %10.2f %10.2f %10.2f %10.5f %12s %14s"
            + " %5d %6d %3d %4d %3d %5d %8d %9d %4d %6d %8d %8d %9.1f %s %6d%n",
        s.operation(),
        s.max(),
        s.min(),
        s.mean(),
        s.deviation(),
        s.max() / transfers,
        s.min() / transfers,
        s.mean() / transfers,
        s.deviation() / transfers,
        s.meanSeconds(),
        "NA",
        "NA",
        0,
        o.tasks(),
        o.tasks(),
        o.repetitions(),
        o.access().filePerTask() ? 1 : 0,
        0,
        1,
        0,
        0,
        o.segments(),
        o.block().bytes(),
        o.transfer().bytes(),
        (double) o.totalBytes() / (1 << 20),
        "POSIX",
        0);
  }

  /** Sizes as IOR prints them: 1 MiB, 100 MiB, 1.50 GiB, 512 bytes. */
  private static String size(long bytes) {
    String[] units = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(
        Locale.ROOT, value == Math.rint(value) ? "%.0f %s" : "%.2f %s", value, units[unit]);
  }
}
