package io.eley.cli;

import io.eley.bb.api.client.CoordinatorClient;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.Origins;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.DeploymentReport.NodeReport;
import io.eley.local.deployment.GivenSettings;
import io.eley.scheduler.hooks.job.NodeArrival;
import io.eley.scheduler.hooks.job.Pause;
import java.time.Duration;
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
  private static final int MOST_NODES = 10_000;

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
  private Duration timeout = Duration.ofSeconds(30);

  @Option(
      names = "--names",
      split = ",",
      paramLabel = "NAME",
      description = "their names (eley.node.name), so that those that do not come can be named")
  private List<String> names = List.of();

  @Option(names = "--serving", description = "wait until they serve, too")
  private boolean serving;

  @Option(names = "--spark-conf", description = "then print the lines for spark-defaults.conf")
  private boolean sparkConf;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    Numbers.require("--nodes", nodes, 1, MOST_NODES);
    new NodeArrival(nodes, names)
        .await(
            () -> new Registered(deployment.connect(), serving),
            timeout,
            System::nanoTime,
            Pause.sleeping());
    if (sparkConf) {
      // Only a deployment of `eley start` has any; a job's script adds those that it has itself.
      var given = new GivenSettings(deployment.files()).noted();
      SparkLines.defaults(
          spec.commandLine().getOut(),
          SparkSettings.of(
              deployment.files().directory(),
              origin(),
              Layout.find().connectorJar(),
              false,
              given));
    }
    return 0;
  }

  private String origin() throws EleyException {
    try (CoordinatorClient coordinator = deployment.connect()) {
      return coordinator.view().originAddress();
    }
  }

  /**
   * The nodes that a coordinator knows. Where they are asked for, or where it takes a while until
   * their origin's classes are loaded, those that serve: a task that came before would read past
   * them.
   */
  private record Registered(CoordinatorClient coordinator, boolean serving)
      implements NodeArrival.Connection {
    @Override
    public List<NodeReport> nodes() throws EleyException {
      DeploymentReport report = coordinator.report();
      return !serving && Origins.onOwnClassPath(report.originAddress())
          ? report.nodes()
          : report.nodes().stream().filter(node -> node.counters().serving()).toList();
    }

    @Override
    public void close() {
      coordinator.close();
    }
  }
}
