package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.coordinator.ledger.LedgerFile;
import io.eley.prefetcher.control.AloneLengths;
import io.eley.prefetcher.control.PhaseEntry;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code eley advise}: what an HPC job's phases look like, and what to request for the next run.
 */
@Command(
    name = "advise",
    mixinStandardHelpOptions = true,
    description =
        "Reports from the ledger what an HPC job's phases look like, and what to request.")
final class AdviseCommand implements Callable<Integer> {
  private static final int ENOUGH = 4;

  /** Pauses longer than this are between runs. */
  private static final double RUN_SECONDS = 3600;

  @Parameters(
      paramLabel = "JOB",
      description = "a job's number, or an application's name as `eley ledger` shows it")
  private String job = "";

  @Option(
      names = "--file",
      paramLabel = "DIR",
      description = "a directory with a ledger.csv instead of the deployment's")
  private @Nullable Path directory;

  @Mixin private DeploymentOption deployment = new DeploymentOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    Path where = directory != null ? directory : deployment.files().directory();
    List<PhaseEntry> all;
    try {
      all = new LedgerFile(where).read();
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "cannot read the ledger in " + where + ": " + e.getMessage(), e);
    }
    var phases =
        all.stream()
            .filter(e -> e.application().equals(job) || e.application().endsWith("#" + job))
            .toList();
    if (phases.isEmpty()) {
      throw new EleyException(
          ErrorCode.NOT_FOUND, "the ledger in " + where + " has no phase of " + job);
    }
    var out = spec.commandLine().getOut();
    advise(phases, all, out);
    out.flush();
    return 0;
  }

  private static void advise(List<PhaseEntry> phases, List<PhaseEntry> all, PrintWriter out) {
    String name = AloneLengths.signature(phases.get(0).application());
    double length = median(phases.stream().mapToDouble(e -> seconds(e.length())));
    double[] periods = periods(phases);
    out.printf(Locale.ROOT, "%s: %d phases of %.1f s (median)", name, phases.size(), length);
    if (periods.length > 0) {
      double period = median(DoubleStream.of(periods));
      out.printf(
          Locale.ROOT,
          ", one every %.1f s: %.0f %% of the time is I/O",
          period,
          100 * Math.min(1, length / period));
    }
    out.println(".");
    slowdown(phases, out);
    foreseen(phases, periods, out);
    bandwidth(phases, all, out);
  }

  private static void slowdown(List<PhaseEntry> phases, PrintWriter out) {
    double[] slower =
        phases.stream().flatMapToDouble(e -> e.slowdown().stream().mapToDouble(s -> s)).toArray();
    long held = phases.stream().filter(e -> e.hold().complete()).count();
    out.printf(Locale.ROOT, "Held by all nodes in %d of them", held);
    if (slower.length > 0) {
      out.printf(
          Locale.ROOT,
          "; %+.1f %% against alone (median of %d)",
          100 * median(DoubleStream.of(slower)),
          slower.length);
    }
    out.println(".");
  }

  private static void foreseen(List<PhaseEntry> phases, double[] periods, PrintWriter out) {
    long before =
        phases.stream().flatMap(e -> e.predicted().stream()).filter(p -> p.closedBefore()).count();
    if (before > 0) {
      out.printf(
          Locale.ROOT,
          "%d were foreseen; the next run under the same job name and user is from its first phase"
              + " on.%n",
          before);
    } else if (periods.length >= ENOUGH) {
      out.println(
          "None was foreseen: their begins are too irregular. Say when: `eley phase run -- COMMAND`,"
              + " or comment=phase=io (slurm/hpc-job-snippets.sh).");
    } else {
      out.printf(Locale.ROOT, "Too few to foresee the next; that takes %d in one run.%n", ENOUGH);
    }
  }

  private static void bandwidth(List<PhaseEntry> phases, List<PhaseEntry> all, PrintWriter out) {
    double[] rates =
        phases.stream()
            .flatMapToDouble(e -> e.foreignBytesPerSecond().stream().mapToDouble(r -> r))
            .toArray();
    double most =
        all.stream()
            .flatMapToDouble(e -> e.foreignBytesPerSecond().stream().mapToDouble(r -> r))
            .max()
            .orElse(0);
    if (rates.length == 0) {
      out.println(
          "How much it moves is not known: announcements do not say. Watch Slurm"
              + " (eley.signal.slurm) or the file system's counters.");
      return;
    }
    double rate = median(DoubleStream.of(rates));
    long share = Math.max(1, Math.round(100 * rate / most));
    out.printf(
        Locale.ROOT,
        "It moves %.0f MB/s in a phase, %d %% of the most that anybody was seen to move.%n",
        rate / 1e6,
        share);
    out.printf(
        Locale.ROOT,
        "To keep it apart from others as heavy: #SBATCH --licenses=pfs_bw:%d of 100; beside Spark with"
            + " Eley it needs none.%n",
        share);
  }

  private static double[] periods(List<PhaseEntry> phases) {
    var periods = new ArrayList<Double>();
    for (int i = 1; i < phases.size(); i++) {
      PhaseEntry before = phases.get(i - 1);
      double apart = seconds(Duration.between(before.began(), phases.get(i).began()));
      if (before.application().equals(phases.get(i).application()) && apart < RUN_SECONDS) {
        periods.add(apart);
      }
    }
    return periods.stream().mapToDouble(p -> p).toArray();
  }

  private static double median(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private static double seconds(Duration d) {
    return d.toNanos() / 1e9;
  }
}
