package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.local.deployment.DeploymentPlan;
import io.eley.local.deployment.LocalDeployment;
import io.eley.local.deployment.Program;
import io.eley.local.deployment.Supervision;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code eley start}: a coordinator and nodes as processes on this machine. */
@Command(
    name = "start",
    mixinStandardHelpOptions = true,
    description = {
      "Starts a coordinator and nodes on this machine.",
      "They are processes of their own; prints the --conf lines for spark-submit and pyspark."
    })
final class StartCommand implements Callable<Integer> {
  @Mixin private StartOptions options = new StartOptions();

  @Mixin private DeploymentOption deployment = new DeploymentOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    var warnings = spec.commandLine().getErr();
    DeploymentPlan plan = options.plan(warnings::println);
    var files = deployment.files();
    LocalDeployment.start(
        files,
        plan,
        Program.ofThisJvm(Main.class.getName()),
        Supervision.outlivingUs(),
        spec.commandLine().getErr()::println);
    SparkLines.print(
        spec.commandLine().getOut(),
        files.directory(),
        plan.origin(),
        Layout.find().connectorJar());
    return 0;
  }
}
