package io.eley.cli;

import io.eley.bb.api.error.EleyException;
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
    description = "Stops the deployment on this machine and frees its RAM-disk.")
final class StopCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  @Mixin private DeploymentOption deployment = new DeploymentOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    var files = deployment.files();
    int stopped = LocalDeployment.stop(files, PATIENCE);
    var out = spec.commandLine().getOut();
    out.println(
        stopped == 0
            ? "nothing runs in " + files.directory()
            : "stopped " + stopped + " processes of " + files.directory());
    return 0;
  }
}
