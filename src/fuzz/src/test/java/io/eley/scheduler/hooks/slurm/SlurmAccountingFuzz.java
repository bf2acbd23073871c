package io.eley.scheduler.hooks.slurm;

import io.eley.bb.api.edge.PlainText;
import io.eley.controller.phase.Sighting;
import io.eley.fuzz.Input;
import io.eley.scheduler.hooks.command.CommandRunner;
import io.eley.scheduler.hooks.signal.SignalException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * {@code squeue --json} and {@code sstat} as the sampler reads them, twice, so that there are
 * differences: a {@link SignalException}, or sightings that are plain and count up.
 */
public final class SlurmAccountingFuzz {
  private static final char CUT = '\f';

  private SlurmAccountingFuzz() {}

  /** Loads the JSON library, which takes longer than an input may when it is instrumented. */
  public static void fuzzerInitialize() throws InterruptedException {
    fuzzerTestOneInput(new byte[] {'{', '}'});
  }

  public static void fuzzerTestOneInput(byte[] input) throws InterruptedException {
    String[] texts = Input.text(input).split(String.valueOf(CUT), 4);
    var clock = new AtomicLong();
    var sstat = new AtomicLong();
    CommandRunner slurm =
        command ->
            new CommandRunner.Output(
                command.get(0).equals("scontrol") ? 1 : 0,
                command.get(0).equals("sstat")
                    ? texts[(int) (sstat.incrementAndGet() % texts.length)]
                    : texts[0],
                texts.length > 3 ? texts[3] : "");
    var sampler =
        new SlurmSampler(
            slurm,
            HpcRule.parse("*"),
            SlurmSampler.Frequency.alone(Duration.ofHours(1)),
            clock::incrementAndGet);
    for (int poll = 0; poll < 3; poll++) {
      try {
        for (Sighting seen : sampler.sample()) {
          Input.require(PlainText.isPlain(seen.application()), "a name that is not plain");
        }
      } catch (SignalException e) {
        Input.require(PlainText.isPlain(e.getMessage() + ""), "an error that is not plain");
      }
    }
  }
}
