package io.eley.cli;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.cli.render.SizeOptions;
import io.eley.cli.render.SummaryText;
import io.eley.local.deployment.DeploymentPlan;
import io.eley.local.deployment.LocalDeployment;
import io.eley.local.deployment.Teardown;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code eley run -- COMMAND}: a deployment as long as a command. Its standard output and its exit
 * code are the command's; what we have to say goes to standard error.
 */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Starts a deployment on this machine, runs a command with Spark configured for it, and stops it.",
      "Takes the options of `eley start`. The command finds everything in SPARK_CONF_DIR, to which it"
          + " is added; its exit code is ours."
    },
    footer = {
      "",
      "Examples:",
      "  eley run --origin /mnt/pfs -- spark-submit job.py bb:///input",
      "  eley run --origin /mnt/pfs --nodes 1 --memory 8g -- pyspark"
    })
final class RunCommand implements Callable<Integer> {
  private static final int CANNOT_RUN = 127;

  @Mixin private StartOptions options = new StartOptions();

  @Mixin private DeploymentOption deployment = new DeploymentOption();

  @Parameters(
      arity = "1..*",
      paramLabel = "-- COMMAND",
      description = "what to run, such as spark-submit, pyspark, spark-shell or a script of yours")
  private List<String> command = new ArrayList<>();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException, InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    DeploymentPlan plan = options.lookedAt(err::println);
    List<String> remarks = options.remarks(plan);
    var files = deployment.files();
    var connector = Layout.find().connectorJar();
    // Whatever ends first, what is there ends in the reverse order: the command, what it was worth,
    // the deployment.
    try (var end = Teardown.onExit()) {
      new SupervisedStart(files, err::println).start(plan, startWords(), end);
      remarks.forEach(err::println);
      end.add(() -> summarize(files, err));
      return run(files, SparkSettings.of(files.directory(), plan, connector), end);
    }
  }

  private int run(DeploymentFiles files, Map<String, String> settings, Teardown end)
      throws InterruptedException {
    try {
      var own = SparkConfDir.ofUser(System.getenv());
      var conf = end.start(() -> SparkConfDir.make(files.directory(), own, settings));
      TerminalSignals.leaveInterruptsToOthers();
      return end.start(() -> WrappedCommand.start(command, environment(files, conf))).await();
    } catch (IOException e) {
      spec.commandLine().getErr().println("eley: " + ErrorLine.describe(e));
      return CANNOT_RUN;
    }
  }

  private static Map<String, String> environment(DeploymentFiles files, SparkConfDir conf) {
    return Map.of(
        "SPARK_CONF_DIR",
        conf.directory().toString(),
        DeploymentFiles.ENVIRONMENT,
        files.directory().toString());
  }

  /** What was typed between the verb and the command: options of {@code eley start}. */
  private List<String> startWords() {
    List<String> typed = spec.root().commandLine().getParseResult().originalArgs();
    int end = typed.indexOf("--");
    return typed.subList(1, end < 0 ? typed.size() - command.size() : end);
  }

  /** Says what it was worth. */
  private static void summarize(DeploymentFiles files, PrintWriter err) {
    try (var coordinator = LocalDeployment.connect(files)) {
      var report = SummaryCommand.fresh(coordinator);
      var ledger = Ledgers.read(files.directory());
      SummaryText.lines(report, ledger, Instant.now(), SizeOptions.OF_THIS_MACHINE)
          .forEach(line -> err.println("eley: " + line));
    } catch (EleyException e) {
      // It has ended by itself, or has nothing to say.
    }
    err.flush();
  }
}
