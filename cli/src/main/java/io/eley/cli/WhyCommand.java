package io.eley.cli;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.DeploymentReport;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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
        out.println(explain(coordinator.report()));
      } else {
        coordinator.why(target).forEach(out::println);
      }
      spec.commandLine().getOut().flush();
      return 0;
    }
  }

  static String explain(DeploymentReport report) {
    String phases = String.join(", ", report.openPhases());
    long open = report.nodes().stream().filter(n -> n.counters().permitOpen()).count();
    String nodes =
        String.format(
            Locale.ROOT,
            "%d of %d nodes say that their permit is open.",
            open,
            report.nodes().size());
    if (report.mode() == BufferMode.NAIVE_BB) {
      return "Nothing is prefetched: in NaiveBB Spark reads its input from the origin itself. "
          + nodes;
    }
    if (report.permitReason().equals("no phase")) {
      return "Prefetching goes on: no HPC application is in a phase. " + nodes;
    }
    if (report.openPhases().isEmpty()) {
      return "Permits are what they are because " + report.permitReason() + ". " + nodes;
    }
    if (report.mode() == BufferMode.NO_ACTION) {
      return "Prefetching goes on although "
          + phases
          + " is in a phase: NoAction has no regard for others. "
          + nodes;
    }
    if (!report.control().operator().equals("full-delay")) {
      return "Prefetching goes on as far as the models allow ("
          + report.permitReason()
          + "), said "
          + says(report)
          + ". "
          + nodes;
    }
    return "Prefetching is held ("
        + report.permitReason()
        + ", said "
        + says(report)
        + ") until the phase is over. Reads that tasks wait for go on"
        + " at a capped rate once the hold is older than eley.delay.max; "
        + nodes;
  }

  private static String says(DeploymentReport report) {
    return report.phases().stream()
        .map(
            p ->
                String.format(
                    Locale.ROOT, "by %s, %d %% certain", p.source(), p.confidencePercent()))
        .collect(Collectors.joining("; "));
  }
}
