package io.eley.experiments;

import io.eley.bb.api.error.EleyException;
import io.eley.laboratory.ConsoleProgress;
import io.eley.laboratory.Installation;
import io.eley.report.SeriesReport;
import io.eley.report.SeriesTable;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code eley experiment}: the paper's experiments on a mounted file system. The command line finds
 * it by its name. Exit code 1 when a run failed.
 */
@Command(
    name = "experiment",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Runs one of the paper's experiments on a mounted file system, with the installed IOR and real"
          + " Spark.",
      "`eley experiment list` names them. See docs/experiments.md."
    })
public final class ExperimentCommand implements Callable<Integer> {
  private static final String LIST = "list";

  @Parameters(paramLabel = "NAME", description = "an experiment, or list")
  private String name = LIST;

  @Mixin private SiteArguments siteArguments = new SiteArguments();

  @Mixin private DesignArguments designArguments = new DesignArguments();

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "1",
      description = "how often everything is run (default: ${DEFAULT-VALUE})")
  private int repeat = 1;

  @Option(names = "--quick", description = "smaller and shorter: whether it works")
  private boolean quick;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "where everything is kept (default: target/experiments/NAME)")
  private @Nullable Path out;

  @Option(names = "--seed", defaultValue = "2017", description = "of the input's text")
  private long seed;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    var console = spec.commandLine().getOut();
    if (name.equals(LIST)) {
      for (var experiment : NamedExperiment.values()) {
        console.printf(
            Locale.ROOT, "%-10s %s%n", experiment.label(), experiment.design().description());
      }
      console.flush();
      return 0;
    }
    if (repeat < 1) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--repeat " + repeat + ": must be 1 or more");
    }
    var experiment = NamedExperiment.of(name).orElseThrow(this::unknown);
    var site = siteArguments.site(spec.commandLine());
    var design = design(quick ? experiment.quick() : experiment.design(), site);
    var installation = Installation.ofThisProcess();
    Path directory =
        out == null ? Installation.home().resolve(Path.of("target", "experiments", name)) : out;
    var progress = new ConsoleProgress(spec.commandLine().getErr());
    SeriesReport report;
    try {
      report =
          new MountedExperiment(installation, site, progress)
              .run(new MountedExperiment.Order(name, design, repeat, directory, seed));
    } finally {
      progress.close();
    }
    console.println();
    console.print(SeriesTable.render(report));
    console.println();
    console.println("report: " + directory.toAbsolutePath().normalize().resolve("report.html"));
    console.flush();
    return report.failures().isEmpty() ? 0 : 1;
  }

  private Design design(Design standard, Site site) {
    try {
      return designArguments.applyTo(standard, site);
    } catch (IllegalArgumentException e) {
      throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private CommandLine.ParameterException unknown() {
    return new CommandLine.ParameterException(
        spec.commandLine(),
        "no experiment '"
            + name
            + "'; there are "
            + Arrays.stream(NamedExperiment.values())
                .map(NamedExperiment::label)
                .collect(Collectors.joining(", ")));
  }
}
