package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.local.deployment.Daemon;
import io.eley.scheduler.hooks.job.BufferSubmission;
import io.eley.scheduler.hooks.job.SlurmCommands;
import io.eley.scheduler.hooks.submission.SubmissionServer;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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

  @Override
  public Integer call() throws EleyException {
    var slurm = SlurmCommands.ofThisHost();
    var site =
        new BufferSubmission.Site(
            hosts.partition, jobs, Layout.find().launcher(), environment(System.getenv()));
    long user = slurm.slurmUser();
    return Daemon.run(
        Map.of(),
        settings -> SubmissionServer.start(socket.path, user, new BufferSubmission(slurm, site)));
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
