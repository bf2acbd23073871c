package io.eley.cli;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.cli.render.SummaryText;
import io.eley.local.deployment.DeploymentPlan;
import io.eley.local.deployment.LocalDeployment;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
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
  private static final Duration PATIENCE = Duration.ofSeconds(15);

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
    var files = deployment.files();
    var connector = Layout.find().connectorJar();
    new SupervisedStart(files, err::println).start(plan, startWords());
    var settings = SparkSettings.of(files.directory(), plan, connector);
    try (var conf =
        SparkConfDir.make(files.directory(), SparkConfDir.ofUser(System.getenv()), settings)) {
      TerminalSignals.leaveInterruptsToOthers();
      return WrappedCommand.start(command, environment(files, conf)).await(() -> stop(files, err));
    } catch (IOException e) {
      err.println("eley: " + ErrorLine.describe(e));
      return CANNOT_RUN;
    } finally {
      stop(files, err);
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

  /** Says what it was worth and ends it; once, whoever comes first. */
  private static synchronized void stop(DeploymentFiles files, PrintWriter err) {
    try {
      try (var coordinator = LocalDeployment.connect(files)) {
        SummaryText.lines(SummaryCommand.fresh(coordinator), Ledgers.read(files.directory()))
            .forEach(line -> err.println("eley: " + line));
      }
    } catch (EleyException e) {
      // It is stopped already, or has nothing to say.
    }
    try {
      LocalDeployment.stop(files, PATIENCE);
    } catch (EleyException e) {
      err.println("eley: " + ErrorLine.describe(e));
    }
    err.flush();
  }
}
