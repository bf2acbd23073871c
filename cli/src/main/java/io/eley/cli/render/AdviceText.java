package io.eley.cli.render;

import io.eley.coordinator.ledger.JobAdvice;
import java.io.PrintWriter;
import java.util.Locale;

/** What a job's phases were like and what to request for its next run, as sentences. */
public final class AdviceText {
  private AdviceText() {}

  /** Four to five lines. */
  public static void print(JobAdvice advice, PrintWriter out) {
    phases(advice, out);
    slowdown(advice, out);
    foreseen(advice, out);
    bandwidth(advice, out);
    out.flush();
  }

  private static void phases(JobAdvice advice, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%s: %d phases of %.1f s (median)",
        advice.name(),
        advice.phases(),
        advice.seconds());
    advice
        .periodSeconds()
        .ifPresent(
            period ->
                out.printf(
                    Locale.ROOT,
                    ", one every %.1f s: %.0f %% of the time is I/O",
                    period,
                    100 * Math.min(1, advice.seconds() / period)));
    out.println(".");
  }

  private static void slowdown(JobAdvice advice, PrintWriter out) {
    out.printf(Locale.ROOT, "Held by all nodes in %d of them", advice.held());
    advice
        .slowdown()
        .ifPresent(
            slower ->
                out.printf(
                    Locale.ROOT,
                    "; %+.1f %% against alone (median of %d)",
                    100 * slower,
                    advice.slowdowns()));
    out.println(".");
  }

  private static void foreseen(JobAdvice advice, PrintWriter out) {
    if (advice.foreseen() > 0) {
      out.printf(
          Locale.ROOT,
          "%d were foreseen; the next run under the same job name and user is from its first phase"
              + " on.%n",
          advice.foreseen());
    } else if (advice.periods() >= JobAdvice.PERIODS_TO_PREDICT) {
      out.println(
          "None was foreseen: their begins are too irregular. Say when: `eley phase run -- COMMAND`,"
              + " or comment=phase=io (slurm/hpc-job-snippets.sh).");
    } else {
      out.printf(
          Locale.ROOT,
          "Too few to foresee the next; that takes %d in one run.%n",
          JobAdvice.PERIODS_TO_PREDICT);
    }
  }

  private static void bandwidth(JobAdvice advice, PrintWriter out) {
    if (advice.bytesPerSecond().isEmpty()) {
      out.println(
          "How much it moves is not known: announcements do not say. Watch Slurm"
              + " (eley.signal.slurm) or the file system's counters.");
      return;
    }
    long share = Math.max(1, Math.round(100 * advice.shareOfMost()));
    out.printf(
        Locale.ROOT,
        "It moves %.0f MB/s in a phase, %d %% of the most that anybody was seen to move.%n",
        advice.bytesPerSecond().getAsDouble() / 1e6,
        share);
    out.printf(
        Locale.ROOT,
        "To keep it apart from others as heavy: #SBATCH --licenses=pfs_bw:%d of 100; beside Spark with"
            + " Eley it needs none.%n",
        share);
  }
}
