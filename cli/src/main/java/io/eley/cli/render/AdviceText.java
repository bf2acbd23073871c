package io.eley.cli.render;

import io.eley.bb.api.config.DataSize;
import io.eley.coordinator.ledger.JobAdvice;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;

/** What a job's phases were like and what to request for its next run, as sentences. */
public final class AdviceText {
  private AdviceText() {}

  /**
   * Four to five lines.
   *
   * @param capacity what the file system moves in a second, as far as somebody has said it
   */
  public static void print(JobAdvice advice, Optional<DataSize> capacity, PrintWriter out) {
    phases(advice, out);
    slowdown(advice, out);
    foreseen(advice, out);
    bandwidth(advice, capacity, out);
    out.flush();
  }

  private static void phases(JobAdvice advice, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%s: %s of %.1f s (median)",
        advice.name(),
        Plural.of(advice.phases(), "phase"),
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
                    "; %s (median of %d)",
                    Slowdown.text(slower, advice.slowdownError()),
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

  private static void bandwidth(JobAdvice advice, Optional<DataSize> capacity, PrintWriter out) {
    if (advice.bytesPerSecond().isEmpty()) {
      out.println(
          "How much it moves is not known: announcements do not say. Watch Slurm"
              + " (eley.signal.slurm) or the file system's counters.");
      return;
    }
    double rate = advice.bytesPerSecond().getAsDouble();
    double part = capacity.map(c -> rate / c.bytes()).orElse(advice.shareOfMost());
    long share = Math.max(1, Math.round(100 * part));
    out.printf(Locale.ROOT, "It moves %.0f MB/s in a phase, %d %% of ", rate / 1e6, share);
    out.println(
        capacity
            .map(c -> String.format(Locale.ROOT, "the file system's %.0f.", c.bytes() / 1e6))
            .orElse(
                "the most that anybody was seen to move; what the file system can is not known"
                    + " (--capacity)."));
    long licences = Math.min(100, share); // its bytes may be a local disk's, too
    out.printf(
        Locale.ROOT,
        "To keep it apart from others as heavy: #SBATCH --licenses=pfs_bw:%d of 100; beside Spark with"
            + " Eley it needs none.%n",
        licences);
  }
}
