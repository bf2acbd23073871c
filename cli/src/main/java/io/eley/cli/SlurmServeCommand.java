package io.eley.cli;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.error.EleyException;
import io.eley.coordinator.config.CoordinatorKeys;
import io.eley.local.deployment.Daemon;
import io.eley.scheduler.hooks.job.BufferChoices;
import io.eley.scheduler.hooks.job.BufferSubmission;
import io.eley.scheduler.hooks.job.SlurmCommands;
import io.eley.scheduler.hooks.submission.SubmissionServer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code eley slurm serve}: root's part of {@code burst_buffer.lua}. */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    description = {
      "Submits the buffers of jobs with a #BB_LUA directive for their users; as root, beside slurmctld.",
      "SlurmUser, whom it asks slurmctld for, and root may ask, by a job's number alone. It runs until it"
          + " gets a TERM (deploy/systemd)."
    })
final class SlurmServeCommand implements Callable<Integer> {
  @Mixin private SlurmOptions.Hosts hosts = new SlurmOptions.Hosts();
  @Mixin private SlurmOptions.Socket socket = new SlurmOptions.Socket();

  @Option(
      names = "--jobs",
      paramLabel = "DIR",
      defaultValue = "%h/.eley/bb",
      description = "shared directory of a user's buffers; %%h is the home, %%u the name")
  private String jobs = "";

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      converter = ModeConverter.class,
      description =
          "the buffers': NaiveBB, NoAction, FullDelay or Adaptive (default: ${DEFAULT-VALUE})")
  private BufferMode mode = CoordinatorKeys.MODE.defaultValue();

  @Option(
      names = "--no-watch",
      description = "buffers do not look for other jobs' I/O in Slurm's accounting")
  private boolean noWatch;

  @Option(
      names = {"-D", "--set"},
      paramLabel = "KEY=VALUE",
      description =
          "any configuration key, for all buffers; see docs/configuration.md or `eley config`")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    var choices =
        new BufferChoices(
            mode, !noWatch, AllKeys.today(settings, spec.commandLine().getErr()::println));
    var slurm = SlurmCommands.ofThisHost();
    var site =
        new BufferSubmission.Site(
            hosts.partition, jobs, Layout.find().launcher(), environment(System.getenv()), choices);
    long user = slurm.slurmUser();
    return Daemon.run(
        Map.of(),
        none -> SubmissionServer.start(socket.path, user, new BufferSubmission(slurm, site)));
  }

  /** What of this service's own environment the buffers' scripts need, and no more of it. */
  private static Map<String, String> environment(Map<String, String> own) {
    var needed = new TreeMap<String, String>();
    needed.put("PATH", own.getOrDefault("PATH", "/usr/bin:/bin"));
    String conf = own.get("SLURM_CONF");
    if (conf != null) {
      needed.put("SLURM_CONF", conf);
    }
    return needed;
  }
}
