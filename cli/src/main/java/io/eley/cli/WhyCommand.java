package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.cli.render.PermitSentences;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code eley why}: why the permits are what they are now, in two sentences. */
@Command(
    name = "why",
    mixinStandardHelpOptions = true,
    description = {
      "Says why prefetching goes on or is held now, or why a thing is in the buffer or not.",
      "Without TARGET it is two sentences about the permits."
    })
final class WhyCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..1",
      paramLabel = "TARGET",
      description = {
        "a path on the origin (/in/part-0), a byte of one (/in/part-0@1048576, its block), or a task"
            + " (APPLICATION/STAGE/PARTITION)"
      })
  private @Nullable String target;

  @Mixin private DeploymentOption deployment = new DeploymentOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    try (var coordinator = deployment.connect()) {
      var out = spec.commandLine().getOut();
      if (target == null) {
        out.println(PermitSentences.render(coordinator.report()));
      } else {
        coordinator.why(target).forEach(out::println);
      }
      spec.commandLine().getOut().flush();
      return 0;
    }
  }
}
