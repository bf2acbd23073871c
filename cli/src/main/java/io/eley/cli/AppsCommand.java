package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.cli.render.Json;
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
    description =
        "Shows the Spark applications: their waves, windows in RAM, splits, and intermediate data.")
final class AppsCommand implements Callable<Integer> {
  @Mixin private DeploymentOrJob deployment = new DeploymentOrJob();

  @Mixin private JsonOption form = new JsonOption();

  @Mixin private WatchOption watch = new WatchOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    watch.look(spec.commandLine().getOut(), this::print);
    return 0;
  }

  private void print() throws EleyException {
    var out = spec.commandLine().getOut();
    try (var coordinator = deployment.connect()) {
      if (form.json) {
        out.println(Json.document("applications", coordinator.report().applications()));
      } else {
        StatusText.printApplications(coordinator.report(), out);
      }
    }
  }
}
