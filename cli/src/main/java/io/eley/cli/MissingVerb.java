package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A verb whose jars are not here: whatever its arguments are, it says in one line what it needs.
 */
@Command(mixinStandardHelpOptions = true)
final class MissingVerb implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  /** Such a verb with the description of the one it stands for. */
  static CommandLine command(String description) {
    var command = new CommandLine(new MissingVerb()).setUnmatchedArgumentsAllowed(true);
    command
        .getCommandSpec()
        .usageMessage()
        .description(description, "Needs " + demoArchive() + ", which has the experiments.");
    return command;
  }

  @Override
  public Integer call() throws EleyException {
    throw new EleyException(
        ErrorCode.NOT_FOUND,
        "`"
            + spec.qualifiedName()
            + "` needs the experiments, which this installation has not: unpack "
            + demoArchive()
            + ", or run ./eley in the source tree");
  }

  private static String demoArchive() {
    String version = Main.class.getPackage().getImplementationVersion();
    return "eley-" + (version == null ? "VERSION" : version) + "-demo.tar.gz";
  }
}
