package io.eley.cli.doctor;

import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.cli.render.Plural;
import io.eley.controller.phase.Blindness;
import io.eley.coordinator.config.SignalKeys;
import io.eley.scheduler.hooks.command.CommandRunner;
import io.eley.scheduler.hooks.command.Commands;
import io.eley.scheduler.hooks.job.SlurmCommands;
import io.eley.scheduler.hooks.signal.SignalException;
import io.eley.scheduler.hooks.slurm.HpcRule;
import io.eley.scheduler.hooks.slurm.SlurmSampler;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether there is a Slurm, and of which jobs it tells us the bytes. */
final class SlurmCheck {
  private static final String ON = "-D " + SignalKeys.SLURM.name() + "=true";

  private SlurmCheck() {}

  /**
   * What was found.
   *
   * @param answers whether there is a Slurm to submit jobs to
   */
  record Found(Finding finding, boolean answers) {}

  static Found of(Settings settings) {
    String conf = settings.get(SignalKeys.SLURM_CONF);
    Map<String, String> environment = conf.isBlank() ? Map.of() : Map.of("SLURM_CONF", conf);
    var commands = new Commands(settings.get(SignalKeys.SIGNAL_DEADLINE), environment);
    return of(commands, settings);
  }

  static Found of(CommandRunner commands, Settings settings) {
    boolean wanted = settings.get(SignalKeys.SLURM);
    try {
      new SlurmCommands(commands).requireSlurm();
    } catch (EleyException e) {
      return silent(
          wanted
              ? Finding.warn(
                  "slurm", e.getMessage() + "", SignalKeys.SLURM.name() + " sees nothing")
              : Finding.ok("slurm", e.getMessage() + ""));
    }
    try {
      var rule = HpcRule.parse(settings.get(SignalKeys.SLURM_JOBS));
      var frequency =
          new SlurmSampler.Frequency(
              settings.get(SignalKeys.SLURM_QUEUE_INTERVAL),
              settings.get(SignalKeys.SLURM_INTERVAL),
              Optional.empty());
      var sampler = new SlurmSampler(commands, rule, frequency, System::nanoTime);
      var unused = sampler.sample();
      Blindness blindness = sampler.blindness();
      if (!blindness.why().isEmpty()) {
        return new Found(Finding.warn("slurm", blindness.why(), ""), true);
      }
      String seen =
          "the bytes of "
              + Plural.of(sampler.owners().size(), "running job")
              + " may be seen"
              + sampler.describeLimit();
      return new Found(Finding.ok("slurm", wanted ? seen : seen + ", with " + ON), true);
    } catch (SignalException e) {
      var blind = Finding.warn("slurm", e.getMessage() + "", "phases of its jobs cannot be seen");
      return new Found(blind, queues(commands));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return silent(Finding.warn("slurm", "interrupted", ""));
    }
  }

  /** Whether there are jobs to submit, though nobody tells their bytes: it may be sstat alone. */
  private static boolean queues(CommandRunner commands) {
    try {
      return commands.run(List.of("squeue", "--noheader", "--me", "--format=%i")).status() == 0;
    } catch (SignalException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static Found silent(Finding finding) {
    return new Found(finding, false);
  }
}
