package io.eley.cli;

import io.eley.bb.api.client.CoordinatorClient;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.server.node.NodeKeys;
import io.eley.cli.render.SourceWarnings;
import io.eley.local.deployment.Daemon;
import io.eley.local.deployment.DeploymentPlan;
import io.eley.local.deployment.LocalDeployment;
import io.eley.local.deployment.Program;
import io.eley.local.deployment.Supervisor;
import io.eley.scheduler.hooks.job.Pause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code eley start}: a coordinator and nodes as processes on this machine, and a process that
 * looks after them, which is this command itself with {@code --foreground}.
 */
@Command(
    name = "start",
    mixinStandardHelpOptions = true,
    description = {
      "Starts a coordinator and nodes on this machine.",
      "They are processes of their own, and are started again when they end by themselves;",
      "prints the --conf lines for spark-submit and pyspark."
    })
final class StartCommand implements Callable<Integer> {
  private static final String MAIN = Main.class.getName();
  private static final int SUPERVISOR_HEAP_MEBIBYTES = 48;
  private static final Duration LOOK = Duration.ofMillis(50);

  /** So often, for two seconds. */
  private static final int MOST_LOOKS = 40;

  @Mixin private StartOptions options = new StartOptions();

  @Mixin private DeploymentOption deployment = new DeploymentOption();

  @Option(
      names = "--foreground",
      description = {
        "stay, and look after the processes from here, as systemd and containers want it;",
        "without it a process of its own does that"
      })
  private boolean foreground;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    var warnings = spec.commandLine().getErr();
    DeploymentPlan plan = options.plan(warnings::println);
    var files = deployment.files();
    if (foreground) {
      return Daemon.run(Map.of(), unused -> Supervisor.start(files, plan, Program.ofThisJvm(MAIN)));
    }
    LocalDeployment.startSupervised(files, plan, supervisor(), warnings::println);
    try (var coordinator = deployment.connect()) {
      SourceWarnings.of(lookedAround(coordinator)).forEach(warnings::println);
    }
    SparkLines.print(
        spec.commandLine().getOut(),
        files.directory(),
        plan.origin(),
        Layout.find().connectorJar(),
        plan.settings().containsKey(NodeKeys.SPARK_HOME.name()));
    return 0;
  }

  /** A report for which every source has been looked at, unless one takes very long. */
  private static DeploymentReport lookedAround(CoordinatorClient coordinator) throws EleyException {
    DeploymentReport report = coordinator.report();
    for (int i = 0; i < MOST_LOOKS && !SourceWarnings.known(report); i++) {
      Pause.sleeping().forTime(LOOK);
      report = coordinator.report();
    }
    return report;
  }

  /** This command once more, staying. */
  private List<String> supervisor() {
    var words = new ArrayList<>(spec.root().commandLine().getParseResult().originalArgs());
    words.remove(0); // the verb
    words.add("--foreground");
    return Program.ofThisJvm(MAIN).command(spec.name(), SUPERVISOR_HEAP_MEBIBYTES, words);
  }
}
