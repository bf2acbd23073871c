package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.ior.IorCommand;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * Entry point of {@code eley}. Exit codes: 0 done, 1 it could not be done (one line says why), 2
 * what was typed makes no sense, which is found before anything starts. What is not there, such as
 * a file or a job, is 1: it may be there tomorrow.
 */
@Command(
    name = "eley",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "VERB",
    description = {
      "Burst-buffer middleware for Spark on HPC: prefetches the next wave of Spark's input into RAM and stands aside while HPC applications do I/O."
    },
    footer = {
      "",
      "See it at work: `eley demo`. A deployment of your own: `eley start --nodes 2 --origin /mnt/pfs`.",
      "`eley VERB --help` tells more."
    })
public final class Main {
  private static final List<Class<?>> VERBS =
      List.of(
          StartCommand.class,
          StatusCommand.class,
          StopCommand.class,
          JobsCommand.class,
          AppsCommand.class,
          SummaryCommand.class,
          DoctorCommand.class,
          SbatchCommand.class,
          SallocCommand.class,
          PhaseCommand.class,
          LedgerCommand.class,
          AdviseCommand.class,
          WhyCommand.class,
          IorCommand.class,
          SimulateCommand.class,
          ConfigCommand.class,
          StageInCommand.class,
          SlurmCommand.class,
          AwaitCommand.class,
          AddressCommand.class,
          BoardCommand.class,
          CoordinatorCommand.class,
          NodeCommand.class,
          CommandLine.HelpCommand.class);

  private Main() {}

  public static void main(String[] arguments) {
    System.exit(execute(arguments));
  }

  private static int execute(String... typed) {
    CommandLine root = commandLine();
    try {
      var defaults = OptionDefaults.read(Layout.find().configuration(), JobsOption.configuration());
      defaults
          .unknown(root)
          .forEach(name -> root.getErr().println("eley: eley.conf: no verb has an option " + name));
      return root.setDefaultValueProvider(defaults).execute(defaults.arguments(root, typed));
    } catch (EleyException e) {
      root.getErr().println("eley: " + ErrorLine.describe(e));
      return ErrorLine.FAILED;
    }
  }

  /** The command line with its error handling, for {@link #main} and for tests. */
  public static CommandLine commandLine() {
    var command = new CommandLine(new Main());
    for (var verb : ExperimentVerb.values()) {
      command.addSubcommand(verb.label(), verb.command());
    }
    VERBS.forEach(command::addSubcommand);
    return Typed.on(command)
        .setOut(PlainWriter.on(System.out))
        .setErr(PlainWriter.on(System.err))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .setParameterExceptionHandler(ErrorLine::badUsage)
        .setExecutionExceptionHandler(ErrorLine::failed);
  }
}
