package io.eley.cli;

import io.eley.bb.api.client.LeasedPhases;
import io.eley.bb.api.edge.NameRule;
import io.eley.bb.api.error.EleyException;
import io.eley.local.deployment.Teardown;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code eley phase run -- COMMAND}: a phase as long as a command. The command runs whether or not
 * there is a coordinator, or an {@code eley.conf} that can be read, and its exit code is ours: an
 * HPC job must not fail because of Eley. A coordinator that comes later is told then.
 */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a command as one phase: announced before it, ended after it, whatever its end.",
      "Example: eley phase run --app climate -- cp checkpoint.dat /mnt/pfs/"
    })
final class PhaseRunCommand implements Callable<Integer> {
  private static final int CANNOT_RUN = 127;

  @Mixin private DeploymentOption deployment = new DeploymentOption();

  @Option(
      names = "--app",
      paramLabel = "NAME",
      description = "name of the HPC application (default: the command's name)")
  private @Nullable String application;

  @Option(
      names = "--lease",
      paramLabel = "TIME",
      defaultValue = "1m",
      description =
          "renewed while the command runs; after a crash the phase ends by itself after so long (default: ${DEFAULT-VALUE})")
  void setLease(Duration given) {
    try {
      requireLease(given);
    } catch (IllegalArgumentException e) {
      // While words are read, so that a default that makes no sense is known before the command.
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    lease = given;
  }

  @Parameters(
      paramLabel = "COMMAND",
      arity = "1..*",
      description = "the command and its arguments, behind --")
  private List<String> command = List.of();

  @Spec private CommandSpec spec = CommandSpec.create();
  private Duration lease = Duration.ofMinutes(1);

  @Override
  public Integer call() throws InterruptedException {
    // A name that may not be one must not keep the command from running.
    String name =
        NameRule.APPLICATION.made(application == null ? nameOf(command.get(0)) : application);
    // From here on an end of ours is one of the command, and then of the phase: also while it is
    // being announced, and where both are told to end at once, as by ctrl-C.
    try (var end = Teardown.onExit()) {
      end.add(unannounced(name)).begin(this::sayUnannounced);
      return WrappedCommand.start(command, end).await();
    } catch (IOException e) {
      spec.commandLine().getErr().println("eley: " + e.getMessage());
      return CANNOT_RUN;
    }
  }

  /** Whether this verb is what was typed. */
  static boolean isTyped(String... words) {
    return words.length > 1 && words[0].equals(Verb.PHASE.label()) && words[1].equals("run");
  }

  static void requireLease(Duration lease) {
    if (lease.isZero()) {
      throw new IllegalArgumentException("--lease 0: must be longer");
    }
  }

  private AnnouncedPhase unannounced(String name) {
    var deployments =
        new LateAnnouncements(() -> LeasedPhases.Announcements.by(deployment.connect()));
    return new AnnouncedPhase(deployments, name, lease);
  }

  private void sayUnannounced(EleyException e) {
    spec.commandLine()
        .getErr()
        .println(
            "eley: the phase is not announced yet, the command runs anyway: " + e.getMessage());
  }

  private static String nameOf(String executable) {
    Path file = Path.of(executable).getFileName();
    return file == null ? executable : file.toString();
  }
}
