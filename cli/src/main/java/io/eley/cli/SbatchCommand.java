package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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
      "Examples:",
      "  eley sbatch --origin /mnt/pfs --buffer-nodes 2 --buffer-memory 8g --spark-nodes 4 \\",
      "    -S --time=1:00:00 -S --partition=batch -- spark-submit job.py bb:///input",
      "  eley sbatch --origin /mnt/pfs --connect -S --time=1:00:00"
    })
final class SbatchCommand implements Callable<Integer> {
  @Mixin private JobMixin job = new JobMixin();

  @Option(names = "--print", description = "print the script instead of submitting it")
  private boolean print;

  @Option(
      names = "--connect",
      description = {
        "a server of Spark Connect instead of a command, for whom you give its token;",
        "the job's output says what to type (Spark 4.0 and newer)"
      })
  private boolean connect;

  @Parameters(
      arity = "0..*",
      paramLabel = "-- COMMAND",
      description = "what to run on the first Spark node, such as spark-submit …")
  private List<String> command = new ArrayList<>();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    if (connect != command.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), connect ? "--connect takes no command" : "missing: -- COMMAND");
    }
    var script = job.script(command);
    var out = spec.commandLine().getOut();
    if (print) {
      out.print(script.text());
    } else {
      var submission = JobMixin.submission();
      long id = submission.submit(script);
      boolean array = script.slurm().isArray();
      var output = submission.output(id, array);
      out.print(answer(id, array, output, JobsOption.hint(script.places().jobs())));
    }
    out.flush();
    return 0;
  }

  /** What is said of a job that is submitted. Of an array each task has a buffer, not the whole. */
  static String answer(long id, boolean array, Optional<String> output, String hint) {
    String task = array ? id + "_N" : Long.toString(id);
    return "submitted job %d%s%n".formatted(id, array ? ", an array: N is a task's number" : "")
        + output.map("  its output:  %s%n"::formatted).orElse("")
        + "  look on:     eley top %1$s, eley status %1$s, eley why %1$s, eley jobs%2$s%n"
            .formatted(task, hint)
        + "  end it:      eley stop %d%s%n"
            .formatted(id, array ? ", or one task: eley stop " + task : "");
  }
}
