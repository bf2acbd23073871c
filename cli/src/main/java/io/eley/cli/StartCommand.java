package io.eley.cli;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.cli.doctor.Doctor;
import io.eley.local.deployment.Daemon;
import io.eley.local.deployment.DeploymentPlan;
import io.eley.local.deployment.Supervisor;
import io.eley.local.deployment.Teardown;
import java.io.IOException;
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
      "prints the --conf lines for spark-submit and pyspark.",
      "Ctrl-C until then ends what was started."
    })
final class StartCommand implements Callable<Integer> {
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
    DeploymentPlan plan = options.lookedAt(warnings::println);
    var remarks = new ArrayList<>(options.remarks(plan));
    Doctor.removedAfterTheSession(plan.ramDisk()).ifPresent(remarks::add);
    var files = deployment.files();
    if (foreground) {
      remarks.forEach(warnings::println);
      return Daemon.run(
          Map.of(),
          settings -> {
            var supervisor = Supervisor.start(files, plan, SupervisedStart.program());
            var unused = supervisor.forsaken().thenRunAsync(() -> System.exit(1));
            return supervisor;
          });
    }
    List<String> words = spec.root().commandLine().getParseResult().originalArgs();
    // Who ends this before the lines are there has no use for it, and is free to type it anew.
    try (var end = Teardown.onExit()) {
      new SupervisedStart(files, warnings::println)
          .start(plan, words.subList(1, words.size()), end);
      remarks.forEach(warnings::println);
      var settings = SparkSettings.of(files.directory(), plan, Layout.find().connectorJar());
      var out = spec.commandLine().getOut();
      end.leave(() -> SparkLines.print(out, files.directory(), plan.origin(), settings));
    }
    sayWhereToLook(files);
    return 0;
  }

  /**
   * The live page's URL opens it to whoever has it, so only a terminal gets it: others may read a
   * job's output.
   */
  private void sayWhereToLook(DeploymentFiles files) {
    try {
      String url = OwnPaths.read(files.liveUrl()).strip();
      String shown = WatchOption.onATerminal(1) ? url : "the URL in " + files.liveUrl();
      spec.commandLine().getOut().println("See it live: " + shown);
    } catch (IOException e) {
      // Without eley.http there is no page.
    }
    spec.commandLine().getOut().flush();
  }
}
