package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.cli.render.StatusText;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code eley status}: what the deployment is doing now. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = "Shows nodes, RAM, windows, the permits' state and the hit ratio.")
final class StatusCommand implements Callable<Integer> {
  @Mixin private DeploymentOrJob deployment = new DeploymentOrJob();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    try (var coordinator = deployment.connect()) {
      StatusText.print(coordinator.report(), spec.commandLine().getOut());
      return 0;
    }
  }
}
