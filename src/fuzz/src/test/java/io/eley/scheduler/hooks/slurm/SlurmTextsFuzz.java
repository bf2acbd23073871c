package io.eley.scheduler.hooks.slurm;

import io.eley.bb.api.edge.PlainText;
import io.eley.fuzz.Input;
import io.eley.scheduler.hooks.signal.SignalException;
import java.time.Duration;
import java.util.Map;

/** One text of {@code squeue}, or {@code sstat} and {@code scontrol}, and a rule on jobs. */
public final class SlurmTextsFuzz {
  private static final SlurmJob JOB =
      new SlurmJob(7, 7, "ior run", "alice", "physics", "hpc", "phase=io", "", "n[1-4]");

  private SlurmTextsFuzz() {}

  /** Loads the JSON library, which takes longer than an input may when it is instrumented. */
  public static void fuzzerInitialize() {
    fuzzerTestOneInput(new byte[] {'{', '}'});
  }

  public static void fuzzerTestOneInput(byte[] input) {
    String text = Input.text(Input.rest(input));
    switch (Input.choice(input) % 3) {
      case 0 -> queue(text);
      case 1 -> usage(text);
      default -> rule(text);
    }
  }

  private static void queue(String text) {
    try {
      for (SlurmJob job : SlurmQueue.parse(text)) {
        Input.require(PlainText.isPlain(job.application()), "a name that is not plain");
        job.saysPhase();
      }
    } catch (SignalException e) {
      Input.require(PlainText.isPlain(e.getMessage() + ""), "an error that is not plain");
    }
  }

  private static void usage(String text) {
    Map<String, Long> steps = StepUsage.parse(text);
    steps.forEach(
        (step, bytes) ->
            Input.require(bytes >= 0 && StepUsage.job(step) >= 0, step + " has " + bytes));
    RpcLimit.of(text, "alice").ifPresent(SlurmTextsFuzz::requireSense);
  }

  private static void requireSense(RpcLimit limit) {
    var within = limit.within(SlurmSampler.Frequency.alone(Duration.ZERO));
    boolean rests = within.queue().toNanos() > 0 && within.steps().toNanos() > 0;
    Input.require(rests && limit.jobs(within) > 0, limit + " makes no sense");
  }

  private static void rule(String text) {
    try {
      HpcRule rule = HpcRule.parse(text);
      rule.counts(JOB);
      Input.require(HpcRule.parse(rule.toString()).equals(rule), "a rule came back as another");
    } catch (IllegalArgumentException e) {
      // As it must be.
    }
  }
}
