package io.eley.cli;

import io.eley.bb.api.edge.NameRule;
import io.eley.bb.api.error.EleyException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code eley phase begin|end|run}: announces HPC I/O. */
@Command(
    name = "phase",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "(begin | end | run | list)",
    description = "Announces that an HPC application begins or ends a phase of I/O on the origin.",
    subcommands = {
      PhaseCommand.Begin.class,
      PhaseCommand.End.class,
      PhaseRunCommand.class,
      PhaseListCommand.class
    })
final class PhaseCommand {
  private static void requireName(String application, CommandSpec spec) {
    try {
      NameRule.APPLICATION.require(application);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--app: " + e.getMessage(), e);
    }
  }

  @Command(
      name = "begin",
      mixinStandardHelpOptions = true,
      description = "Begins a phase; returns when every node has stopped prefetching.")
  static final class Begin implements Callable<Integer> {
    @Mixin private DeploymentOption deployment = new DeploymentOption();

    @Option(
        names = "--app",
        required = true,
        paramLabel = "NAME",
        description = "name of the HPC application")
    private String application = "";

    @Option(
        names = "--lease",
        paramLabel = "TIME",
        defaultValue = "5m",
        description =
            "the phase ends by itself after this long unless it is announced again (default: ${DEFAULT-VALUE})")
    private Duration lease = Duration.ofMinutes(5);

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws EleyException {
      requireName(application, spec);
      PhaseRunCommand.requireLease(lease);
      try (var coordinator = deployment.connect()) {
        var held = coordinator.beginPhase(application, lease);
        spec.commandLine()
            .getOut()
            .printf(
                Locale.ROOT,
                "phase of %s is open: %d of %d nodes confirmed in %.1f ms%n",
                application,
                held.confirmed(),
                held.nodes(),
                held.micros() / 1e3);
        return 0;
      }
    }
  }

  @Command(
      name = "end",
      mixinStandardHelpOptions = true,
      description = "Ends a phase; prefetching resumes.")
  static final class End implements Callable<Integer> {
    @Mixin private DeploymentOption deployment = new DeploymentOption();

    @Option(
        names = "--app",
        required = true,
        paramLabel = "NAME",
        description = "name of the HPC application")
    private String application = "";

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws EleyException {
      requireName(application, spec);
      try (var coordinator = deployment.connect()) {
        boolean was = coordinator.endPhase(application);
        String list = "eley phase list" + deployment.typed().directory();
        spec.commandLine()
            .getOut()
            .println(
                "phase of "
                    + application
                    + (was
                        ? " is over"
                        : " was not open as an announced one; `" + list + "` shows who says so"));
        return 0;
      }
    }
  }
}
