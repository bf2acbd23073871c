package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.cli.render.Json;
import io.eley.cli.render.StatusText;
import java.util.LinkedHashMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code eley phase list}: the phases that are open, and those that are expected. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "Shows the phases that are open now, who says so, and those that are expected.")
final class PhaseListCommand implements Callable<Integer> {
  @Mixin private DeploymentOrJob deployment = new DeploymentOrJob();

  @Mixin private JsonOption form = new JsonOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    var out = spec.commandLine().getOut();
    try (var coordinator = deployment.connect()) {
      var report = coordinator.report();
      if (form.json) {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("phases", report.phases());
        fields.put("forecasts", report.control().forecasts());
        out.println(Json.document(fields));
      } else {
        StatusText.printPhases(report, out);
      }
    }
    return 0;
  }
}
