package io.eley.cli;

import io.eley.bb.api.client.CoordinatorClient;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.cli.render.SummaryText;
import io.eley.scheduler.hooks.job.Pause;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code eley summary}: what a deployment was worth so far; jobs print it at their end. */
@Command(
    name = "summary",
    mixinStandardHelpOptions = true,
    description = {
      "Says what was read, how much of it from RAM, which phases were met, and what to change.",
      "A job of `eley sbatch` prints it when its command has ended."
    })
final class SummaryCommand implements Callable<Integer> {
  private static final Duration LOOK = Duration.ofMillis(100);

  /** So often; nodes tell their counters about once a second, and one may be gone. */
  private static final int MOST_LOOKS = 20;

  @Mixin private DeploymentOrJob deployment = new DeploymentOrJob();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    try (var coordinator = deployment.connect()) {
      var out = spec.commandLine().getOut();
      SummaryText.lines(fresh(coordinator), Ledgers.read(deployment.ledger()))
          .forEach(out::println);
      out.flush();
      return 0;
    }
  }

  /** A report for which every node has told its counters since we came. */
  private static DeploymentReport fresh(CoordinatorClient coordinator) throws EleyException {
    long came = System.nanoTime();
    DeploymentReport report = coordinator.report();
    for (int i = 0; i < MOST_LOOKS && !toldSince(came, report); i++) {
      Pause.sleeping().forTime(LOOK);
      report = coordinator.report();
    }
    return report;
  }

  private static boolean toldSince(long came, DeploymentReport report) {
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - came);
    return report.nodes().stream().allMatch(node -> node.heardMillisAgo() < millis);
  }
}
