package io.eley.cli;

import io.eley.bb.api.client.CoordinatorClient;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.cli.render.SummaryJson;
import io.eley.cli.render.SummaryText;
import io.eley.prefetcher.control.PhaseEntry;
import io.eley.scheduler.hooks.job.Pause;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
      "A job of `eley sbatch` prints it when its command has ended, and keeps it."
    })
final class SummaryCommand implements Callable<Integer> {
  private static final Duration LOOK = Duration.ofMillis(100);

  /** So often; nodes tell their counters about once a second, and one may be gone. */
  private static final int MOST_LOOKS = 20;

  @Mixin private DeploymentOrJob deployment = new DeploymentOrJob();

  @Mixin private JsonOption form = new JsonOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    Optional<Path> kept = deployment.summary();
    if (kept.isPresent() && !form.json) { // of text; as JSON only while it can be asked
      print(said(kept.get()));
      return 0;
    }
    try (var coordinator = deployment.connect()) {
      DeploymentReport report = fresh(coordinator);
      Instant now = Instant.now();
      List<PhaseEntry> ledger = Ledgers.read(deployment.ledger());
      var options = deployment.sizes();
      print(
          form.json
              ? List.of(SummaryJson.render(report, ledger, now, options))
              : SummaryText.lines(report, ledger, now, options));
      return 0;
    }
  }

  private void print(List<String> lines) {
    var out = spec.commandLine().getOut();
    lines.forEach(out::println);
    out.flush();
  }

  private static List<String> said(Path file) throws EleyException {
    try {
      return OwnPaths.read(file).lines().toList();
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /** A report for which every node has told its counters since we came. */
  static DeploymentReport fresh(CoordinatorClient coordinator) throws EleyException {
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
