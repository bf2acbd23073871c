package io.eley.cli;

import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.coordinator.config.SignalKeys;
import io.eley.scheduler.hooks.command.Commands;
import io.eley.scheduler.hooks.job.JobMark;
import io.eley.scheduler.hooks.job.SlurmCommands;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What whoever starts a deployment in a job of his own is to know: the coordinator will mark the
 * job as Eley's. Jobs of {@code eley sbatch} bear the mark before.
 */
final class JobRemark {
  private JobRemark() {}

  /**
   * The line, where there is such a job. Blocks for a command of Slurm's for each job that we are
   * in, as long as a source's command may take; where Slurm does not answer there is no line.
   *
   * @param settings of the deployment
   */
  static Optional<String> of(Map<String, String> settings, Map<String, String> environment) {
    Set<Long> ours = JobMark.ourJobs(environment);
    if (ours.isEmpty()) {
      return Optional.empty();
    }
    var mark = new JobMark(new SlurmCommands(commands(Settings.of(settings))));
    try {
      List<Long> unmarked = mark.unmarked(ours);
      return unmarked.isEmpty() ? Optional.empty() : Optional.of(line(unmarked));
    } catch (EleyException e) {
      return Optional.empty(); // nor can the coordinator mark anything, which its log says
    }
  }

  private static Commands commands(Settings settings) {
    String conf = settings.get(SignalKeys.SLURM_CONF);
    return new Commands(
        settings.get(SignalKeys.SIGNAL_DEADLINE),
        conf.isBlank() ? Map.of() : Map.of("SLURM_CONF", conf));
  }

  private static String line(List<Long> jobs) {
    String numbers = jobs.stream().sorted().map(String::valueOf).collect(Collectors.joining(", "));
    return (jobs.size() == 1 ? "job " + numbers + " counts" : "jobs " + numbers + " count")
        + " as Eley's until this deployment ends: Slurm's accounting shows nobody a simulation's"
        + " phases in it, so announce them (eley phase run)";
  }
}
