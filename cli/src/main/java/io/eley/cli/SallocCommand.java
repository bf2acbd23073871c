package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.scheduler.hooks.job.JobScript;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code eley salloc}: a shell, a notebook or any command with Spark and its buffer around it. It
 * prints a script, which the launcher runs: a JVM between terminal and shell would take their
 * signals.
 */
@Command(
    name = "salloc",
    mixinStandardHelpOptions = true,
    description = {
      "Gets an allocation, starts buffer nodes and Spark in it, and gives you a shell here.",
      "spark-submit and pyspark find everything, as in a job of `eley sbatch`. It ends with the shell."
    },
    footer = {
      "",
      "Examples:",
      "  eley salloc --origin /mnt/pfs --spark-nodes 4 -S --time=1:00:00",
      "  eley salloc --origin /mnt/pfs -- pyspark"
    })
final class SallocCommand implements Callable<Integer> {
  @Mixin private JobMixin job = new JobMixin();

  @Parameters(
      arity = "0..*",
      paramLabel = "-- COMMAND",
      description = "what to run here instead of your $SHELL, such as pyspark")
  private List<String> command = new ArrayList<>();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    List<String> run =
        command.isEmpty() ? List.of(System.getenv().getOrDefault("SHELL", "/bin/bash")) : command;
    JobScript script = job.script(run);
    JobMixin.submission().check(script);
    spec.commandLine().getOut().print(script.inATerminal());
    spec.commandLine().getOut().flush();
    return 0;
  }
}
