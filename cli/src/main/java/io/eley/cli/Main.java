package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.UsageMessageSpec;

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
  private Main() {}

  public static void main(String[] arguments) {
    System.exit(execute(arguments));
  }

  private static int execute(String... typed) {
    try {
      var defaults = fitting(defaults(typed), typed);
      CommandLine root = defaults.isEmpty() ? commandLine(typed) : commandLine();
      defaults
          .unknown(root)
          .forEach(name -> root.getErr().println("eley: eley.conf: no verb has an option " + name));
      int code = root.setDefaultValueProvider(defaults).execute(defaults.arguments(root, typed));
      return code == 0 ? ErrorLine.written(root) : code;
    } catch (EleyException e) {
      commandLine().getErr().println("eley: " + ErrorLine.describe(e));
      return ErrorLine.FAILED;
    }
  }

  /** An HPC job must not fail because of Eley: the command of a phase runs without defaults. */
  private static OptionDefaults defaults(String... typed) throws EleyException {
    try {
      var layout = Layout.find();
      return OptionDefaults.read(layout.configuration(), layout.lib(), JobsOption.configuration());
    } catch (EleyException e) {
      if (!PhaseRunCommand.isTyped(typed)) {
        throw e;
      }
      return none(ErrorLine.describe(e));
    }
  }

  /** The same holds where what they say makes no sense, if what was typed does. */
  private static OptionDefaults fitting(OptionDefaults defaults, String... typed) {
    if (defaults.isEmpty() || !PhaseRunCommand.isTyped(typed)) {
      return defaults;
    }
    Optional<String> refused = defaults.refusal(commandLine(), typed);
    boolean typedWell = new OptionDefaults(Map.of()).refusal(commandLine(), typed).isEmpty();
    return refused.isPresent() && typedWell ? none(refused.get()) : defaults;
  }

  private static OptionDefaults none(String why) {
    PlainWriter.on(System.err)
        .println("eley: no eley.conf is used, the command runs anyway: " + why);
    return new OptionDefaults(Map.of());
  }

  /** A command line for these words alone: with the one verb that is typed, or with all. */
  private static CommandLine commandLine(String... typed) {
    var verb = typed.length == 0 ? Optional.<Verb>empty() : Verb.of(typed[0]);
    if (verb.isEmpty() || verb.get() == Verb.HELP) {
      return commandLine();
    }
    var root = new CommandLine(new Main());
    verb.get().addTo(root);
    return configured(root);
  }

  /** The command line with its error handling, for {@link #main} and for tests. */
  public static CommandLine commandLine() {
    var command = new CommandLine(new Main());
    for (Verb verb : Verb.values()) {
      verb.addTo(command);
    }
    command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, help -> "");
    command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, new GroupedVerbs());
    return configured(command);
  }

  private static CommandLine configured(CommandLine command) {
    return Typed.on(command)
        .setOut(PlainWriter.on(System.out))
        .setErr(PlainWriter.on(System.err))
        // Those writers would show the escapes of colours as text.
        .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
        .setCaseInsensitiveEnumValuesAllowed(true)
        // Else a switch that is typed is the opposite of its default: off where eley.conf has it
        // on.
        .setToggleBooleanFlags(true)
        .setUsageHelpAutoWidth(true)
        .setParameterExceptionHandler(ErrorLine::badUsage)
        .setExecutionExceptionHandler(ErrorLine::failed);
  }
}
