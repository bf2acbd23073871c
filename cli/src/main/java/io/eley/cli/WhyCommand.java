package io.eley.cli;

import io.eley.api.BufferMode;
import io.eley.api.error.EleyException;
import io.eley.api.wire.DeploymentReport;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code eley why}: why the permits are what they are now, in two sentences. */
@Command(
    name = "why",
    mixinStandardHelpOptions = true,
    description = "Says in two sentences why prefetching goes on or is held now.")
final class WhyCommand implements Callable<Integer> {
  @Mixin private DeploymentOption deployment = new DeploymentOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    try (var coordinator = deployment.connect()) {
      spec.commandLine().getOut().println(explain(coordinator.report()));
      spec.commandLine().getOut().flush();
      return 0;
    }
  }

  static String explain(DeploymentReport report) {
    String phases = String.join(", ", report.openPhases());
    long open = report.nodes().stream().filter(n -> n.counters().permitOpen()).count();
    String nodes =
        String.format(
            java.util.Locale.ROOT,
            "%d of %d nodes say that their permit is open.",
            open,
            report.nodes().size());
    if (report.mode() == BufferMode.NAIVE_BB) {
      return "Nothing is prefetched: in NaiveBB Spark reads its input from the origin itself. "
          + nodes;
    }
    if (report.openPhases().isEmpty()) {
      return "Prefetching goes on: no HPC application is in a phase. " + nodes;
    }
    if (report.mode() == BufferMode.NO_ACTION) {
      return "Prefetching goes on although "
          + phases
          + " is in a phase: NoAction has no regard for others. "
          + nodes;
    }
    return "Prefetching is held ("
        + report.permitReason()
        + ") until the phase is said to be over, or its lease ends. Reads that tasks wait for go on"
        + " at a capped rate once the hold is older than eley.delay.max; "
        + nodes;
  }
}
