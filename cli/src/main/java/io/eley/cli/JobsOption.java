package io.eley.cli;

import io.eley.scheduler.hooks.job.SlurmCommands;
import io.eley.scheduler.hooks.job.UserJobs;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the files of the user's jobs are. */
final class JobsOption {
  private static final String ENVIRONMENT = "ELEY_JOBS";

  @Option(
      names = "--jobs",
      paramLabel = "DIR",
      description =
          "shared directory for jobs' files, yours alone (default: $"
              + ENVIRONMENT
              + ", or ~/.eley/jobs)")
  private @Nullable Path directory;

  Path directory(Map<String, String> environment) {
    String named = environment.getOrDefault(ENVIRONMENT, "");
    Path chosen =
        directory != null
            ? directory
            : named.isBlank() ? home(environment).resolve(".eley/jobs") : Path.of(named);
    return chosen.toAbsolutePath();
  }

  /** The jobs whose files are there. */
  UserJobs jobs() {
    Map<String, String> environment = System.getenv();
    return new UserJobs(
        SlurmCommands.ofThisHost(), directory(environment), home(environment).resolve(".eley/bb"));
  }

  /** The user's defaults of options. */
  static Path configuration() {
    return home(System.getenv()).resolve(Path.of(".eley", "eley.conf"));
  }

  /** As the shell has it: the job's script will be run by one. */
  private static Path home(Map<String, String> environment) {
    return Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")));
  }
}
