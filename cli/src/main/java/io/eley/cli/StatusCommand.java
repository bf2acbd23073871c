package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.cli.render.StatusJson;
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
        out.println(StatusJson.render(coordinator.report()));
      } else {
        StatusText.print(coordinator.report(), out);
      }
    }
  }
}
