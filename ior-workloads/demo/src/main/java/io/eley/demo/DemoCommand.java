package io.eley.demo;

import io.eley.bb.api.error.EleyException;
import io.eley.laboratory.ConsoleProgress;
import io.eley.laboratory.Installation;
import io.eley.laboratory.LocalLauncher;
import io.eley.report.ExperimentReport;
import io.eley.report.ReportTable;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code eley demo}: the whole idea at work on this machine. The command line finds it by its name.
 */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Shows the whole idea at work and reports both sides, Spark's and the HPC application's.",
      "WordCount and Sort on real Spark beside an IOR-like load, in the paper's three modes, on an"
          + " emulated parallel file system. See docs/demo.md."
    })
public final class DemoCommand implements Callable<Integer> {
  /** A day of them; more is a typing error. */
  private static final int MOST_REPETITIONS = 250;

  @Option(names = "--quick", description = "WordCount only: about 3 minutes")
  private boolean quick;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "where report.json and report.html go (default: target/demo)")
  private @Nullable Path out;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "how often everything is run, for medians with their ranges (default: ${DEFAULT-VALUE})")
  private int repeat = 1;

  @Mixin private DemoArguments arguments = new DemoArguments();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    if (repeat < 1 || repeat > MOST_REPETITIONS) {
      throw new ParameterException(
          spec.commandLine(),
          "--repeat takes a number from 1 to " + MOST_REPETITIONS + ", not '" + repeat + "'");
    }
    Path directory = out == null ? Installation.home().resolve(Path.of("target", "demo")) : out;
    var options = options(directory);
    var console = spec.commandLine().getOut();
    var progress = new ConsoleProgress(spec.commandLine().getErr());
    ExperimentReport report;
    try {
      report =
          new DemoExperiment(Installation.ofThisProcess(), new LocalLauncher(), progress)
              .run(options);
    } finally {
      progress.close();
    }
    console.println();
    console.print(ReportTable.render(report));
    console.println();
    console.println(
        "report: " + directory.toAbsolutePath().normalize().resolve(DemoExperiment.HTML_FILE));
    console.flush();
    return 0;
  }

  private DemoOptions options(Path directory) throws EleyException {
    var standard = quick ? DemoOptions.quick(directory) : DemoOptions.full(directory);
    return arguments.applyTo(standard.withRepetitions(repeat), spec.commandLine());
  }
}
