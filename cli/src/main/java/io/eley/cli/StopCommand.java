package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.cli.render.Plural;
import io.eley.local.deployment.LocalDeployment;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code eley stop}: ends a deployment's processes, nodes first, and leaves no RAM-disk file
 * behind.
 */
@Command(
    name = "stop",
    mixinStandardHelpOptions = true,
    description = {
      "Stops the deployment on this machine and frees its RAM-disk.",
      "With JOB it ends that Slurm job instead, Spark and your command with it, and waits for that."
    })
final class StopCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  @Mixin private DeploymentOrJob deployment = new DeploymentOrJob();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    var out = spec.commandLine().getOut();
    if (deployment.job != null) {
      boolean ended = deployment.jobs.stop(deployment.job);
      out.println((ended ? "stopped job " : "nothing is left to stop of job ") + deployment.job);
      return 0;
    }
    var files = deployment.files();
    int stopped = LocalDeployment.stop(files, PATIENCE);
    out.println(
        stopped == 0
            ? "nothing runs in " + files.directory()
            : "stopped " + Plural.of(stopped, "process", "processes") + " of " + files.directory());
    return 0;
  }
}
