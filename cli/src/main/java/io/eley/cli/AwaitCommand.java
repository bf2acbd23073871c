package io.eley.cli;

import io.eley.bb.api.config.Durations;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.DeploymentReport.NodeReport;
import io.eley.scheduler.hooks.job.Pause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code eley await}: for job scripts, returns when all nodes have registered. */
@Command(
    name = "await",
    mixinStandardHelpOptions = true,
    description = "Waits until so many nodes have registered; for job scripts.")
final class AwaitCommand implements Callable<Integer> {
  private static final long POLL_MILLIS = 100;

  @Mixin private DeploymentOption deployment = new DeploymentOption();

  @Option(
      names = "--nodes",
      required = true,
      paramLabel = "N",
      description = "how many nodes are to come")
  private int nodes;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "30s",
      description = "how long to wait at most (default: ${DEFAULT-VALUE})")
  private String timeout = "30s";

  @Option(
      names = "--names",
      split = ",",
      paramLabel = "NAME",
      description = "their names (eley.node.name), so that those that do not come can be named")
  private List<String> names = List.of();

  @Option(names = "--spark-conf", description = "then print the lines for spark-defaults.conf")
  private boolean sparkConf;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    Duration patience = Converted.of(() -> Durations.parse(timeout));
    long end = System.nanoTime() + patience.toNanos();
    String last = "no coordinator has come up";
    while (System.nanoTime() - end < 0) {
      try (var coordinator = deployment.connect()) {
        while (System.nanoTime() - end < 0) {
          var there = coordinator.report().nodes();
          if (there.size() >= nodes) {
            ready();
            return 0;
          }
          last = missing(there.stream().map(NodeReport::id).toList());
          Pause.millis(POLL_MILLIS);
        }
      } catch (EleyException e) {
        last = e.getMessage() + "";
        Pause.millis(POLL_MILLIS);
      }
    }
    throw new EleyException(ErrorCode.DEADLINE, "not ready after " + timeout + ": " + last);
  }

  private String missing(List<String> there) {
    var absent = new ArrayList<>(names);
    absent.removeAll(there);
    absent.removeIf(String::isBlank);
    String counted = there.size() + " of " + nodes + " nodes have registered";
    return absent.isEmpty() ? counted : counted + "; missing: " + String.join(", ", absent);
  }

  private void ready() throws EleyException {
    if (sparkConf) {
      SparkLines.defaults(
          spec.commandLine().getOut(), deployment.files().directory(), Layout.find().connectorJar());
    }
  }
}
