package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.cli.render.StatusText;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code eley apps}: the Spark applications of a deployment. */
@Command(
    name = "apps",
    mixinStandardHelpOptions = true,
    description = "Shows the Spark applications: their waves, windows in RAM and splits.")
final class AppsCommand implements Callable<Integer> {
  @Mixin private DeploymentOrJob deployment = new DeploymentOrJob();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    try (var coordinator = deployment.connect()) {
      StatusText.printApplications(coordinator.report(), spec.commandLine().getOut());
      return 0;
    }
  }
}
