package io.eley.cli;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.server.node.NodeKeys;
import io.eley.coordinator.config.CoordinatorKeys;
import io.eley.scheduler.hooks.job.JobScript;
import io.eley.scheduler.hooks.job.JobSubmission;
import io.eley.scheduler.hooks.job.SlurmCommands;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code eley sbatch}: Spark and its burst buffer as one Slurm job. */
@Command(
    name = "sbatch",
    mixinStandardHelpOptions = true,
    description = {
      "Submits a Slurm job: buffer nodes, Spark and your command in one allocation.",
      "Nothing is left when it ends. The command finds spark.master, authentication and the buffer in"
          + " SPARK_CONF_DIR, so `spark-submit` needs no further option; read bb:///path/under/origin."
    },
    footer = {
      "",
      "Example:",
      "  eley sbatch --origin /mnt/pfs --buffer-nodes 2 --buffer-memory 8g --spark-nodes 4 \\",
      "    -S --time=1:00:00 -S --partition=batch -- spark-submit job.py bb:///input"
    })
final class SbatchCommand implements Callable<Integer> {
  @Mixin private JobOptions.Sizes sizes = new JobOptions.Sizes();

  @Mixin private JobOptions.Spark spark = new JobOptions.Spark();

  @Mixin private JobOptions.Slurm slurm = new JobOptions.Slurm();

  @Mixin private JobOptions.Places places = new JobOptions.Places();

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      converter = ModeConverter.class,
      description = "NaiveBB, NoAction, FullDelay or Adaptive (default: ${DEFAULT-VALUE})")
  private BufferMode mode = CoordinatorKeys.MODE.defaultValue();

  @Option(
      names = "--no-watch",
      description = "do not look for other jobs' I/O in Slurm's accounting")
  private boolean noWatch;

  @Option(
      names = "--ready",
      paramLabel = "SECONDS",
      description = "how long all parts may take to come up (default: ${DEFAULT-VALUE})")
  private int ready = Math.toIntExact(NodeKeys.COORDINATOR_WAIT.defaultValue().toSeconds());

  @Option(
      names = {"-D", "--set"},
      paramLabel = "KEY=VALUE",
      description = "any configuration key, see `eley config`")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(names = "--print", description = "print the script instead of submitting it")
  private boolean print;

  @Parameters(
      arity = "1..*",
      paramLabel = "-- COMMAND",
      description = "what to run on the first Spark node, such as spark-submit …")
  private List<String> command = new ArrayList<>();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    var script = script();
    var out = spec.commandLine().getOut();
    if (print) {
      out.print(script.text());
    } else {
      var submission = new JobSubmission(SlurmCommands.ofThisHost());
      long job = submission.submit(script);
      out.println("submitted job " + job);
      submission.output(job).ifPresent(file -> out.println("  its output:  " + file));
      out.printf("  look on:     eley status %1$d, eley why %1$d, eley jobs%n", job);
      out.printf("  end it:      eley stop %d%n", job);
    }
    out.flush();
    return 0;
  }

  private JobScript script() throws EleyException {
    var known = AllKeys.today(settings, spec.commandLine().getErr()::println);
    return new JobScript(
        sizes.sizes(),
        spark.share(),
        places.places(),
        mode,
        !noWatch,
        ready,
        slurm.request(),
        known,
        command);
  }
}
