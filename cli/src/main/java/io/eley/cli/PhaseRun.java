package io.eley.cli;

import io.eley.bb.api.client.CoordinatorClient;
import io.eley.bb.api.config.Durations;
import io.eley.bb.api.error.EleyException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code eley phase run -- COMMAND}: a phase as long as a command. The command runs whether or not
 * there is a coordinator, and its exit code is ours: an HPC job must not fail because of Eley.
 *
 * <p>The lease is renewed while the command runs, so it bounds only how long prefetching is held
 * after this process was killed without a chance to say so.
 */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a command as one phase: announced before it, ended after it, whatever its end.",
      "Example: eley phase run --app climate -- cp checkpoint.dat /mnt/pfs/"
    })
final class PhaseRun implements Callable<Integer> {
  private static final int CANNOT_RUN = 127;
  private static final int SIGNALLED = 143;
  private static final Duration FAREWELL = Duration.ofSeconds(10);

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
  private String lease = "";

  @Parameters(
      paramLabel = "COMMAND",
      arity = "1..*",
      description = "the command and its arguments, behind --")
  private List<String> command = List.of();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    Duration life = Durations.parse(lease);
    String name = application == null ? nameOf(command.get(0)) : application;
    try (var announcer = announcer(name, life)) {
      return run(announcer);
    }
  }

  private int run(@Nullable Announcer announcer) throws InterruptedException {
    Process process;
    try {
      process = new ProcessBuilder(command).inheritIO().start();
    } catch (IOException e) {
      spec.commandLine().getErr().println("eley: " + e.getMessage());
      return CANNOT_RUN;
    }
    var end = new Thread(() -> end(process, announcer), "eley-phase-end");
    Runtime.getRuntime().addShutdownHook(end);
    int code = process.waitFor();
    try {
      Runtime.getRuntime().removeShutdownHook(end);
    } catch (IllegalStateException e) {
      return SIGNALLED;
    }
    return code;
  }

  /** A TERM to us is one to the command; the phase is over when the command is, not before. */
  private static void end(Process process, @Nullable Announcer announcer) {
    stop(process);
    if (announcer != null) {
      announcer.close();
    }
  }

  private static void stop(Process process) {
    process.destroy();
    try {
      if (!process.waitFor(FAREWELL.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
    }
  }

  private @Nullable Announcer announcer(String name, Duration life) {
    try {
      return new Announcer(deployment.connect(), name, life);
    } catch (EleyException e) {
      spec.commandLine()
          .getErr()
          .println("eley: the phase is not announced, the command runs anyway: " + e.getMessage());
      return null;
    }
  }

  private static String nameOf(String executable) {
    Path file = Path.of(executable).getFileName();
    return file == null ? executable : file.toString();
  }

  /** An open phase, and the thread that keeps it open. */
  private static final class Announcer implements AutoCloseable {
    private final CoordinatorClient coordinator;
    private final String application;
    private final ScheduledExecutorService renewals;
    private boolean over;

    Announcer(CoordinatorClient coordinator, String application, Duration life)
        throws EleyException {
      this.coordinator = coordinator;
      this.application = application;
      try {
        coordinator.beginPhase(application, life);
      } catch (EleyException e) {
        coordinator.close();
        throw e;
      }
      renewals =
          Executors.newSingleThreadScheduledExecutor(
              work -> {
                var thread = new Thread(work, "eley-phase-lease");
                thread.setDaemon(true);
                return thread;
              });
      long every = Math.max(1, life.toMillis() / 3);
      var unused =
          renewals.scheduleWithFixedDelay(() -> renew(life), every, every, TimeUnit.MILLISECONDS);
    }

    private void renew(Duration life) {
      try {
        coordinator.beginPhase(application, life);
      } catch (EleyException e) {
        // A coordinator that is away now may be back for the next renewal.
      }
    }

    /** Whoever comes second waits for the first: the JVM must not end before the phase has. */
    @Override
    public synchronized void close() {
      if (over) {
        return;
      }
      over = true;
      renewals.shutdownNow();
      try (coordinator) {
        coordinator.endPhase(application);
      } catch (EleyException e) {
        // Its lease ends it.
      }
    }
  }
}
