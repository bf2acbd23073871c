package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.cli.render.TypedDeployment;
import io.eley.scheduler.hooks.job.Pause;
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
            : named.isBlank()
                ? Home.directory(environment).resolve(".eley/jobs")
                : Home.path(named);
    return chosen.toAbsolutePath();
  }

  /** What has to be typed for jobs whose files are there; empty for the usual place. */
  static String hint(Path directory) {
    return directory.equals(new JobsOption().directory(System.getenv()))
        ? ""
        : " (with --jobs " + directory + ")";
  }

  /** The option as it was typed, with a space before it; empty where it was not. */
  String typed() {
    return directory == null ? "" : TypedDeployment.option("--jobs", directory);
  }

  /** The jobs whose files are there. */
  UserJobs jobs() {
    Map<String, String> environment = System.getenv();
    return new UserJobs(
        SlurmCommands.ofThisHost(),
        directory(environment),
        Home.directory(environment).resolve(".eley/bb"),
        typed());
  }

  /**
   * The job that was typed. Blocks for Slurm when it is one of an array.
   *
   * @throws IllegalArgumentException for what can be no number of a job
   */
  long number(String typed) throws EleyException {
    requireNumber(typed);
    return jobs().number(typed);
  }

  /**
   * Ends the job that was typed. Blocks until it has ended.
   *
   * @return whether there was anything to end; if not, it was over before
   * @throws IllegalArgumentException for what can be no number of a job
   */
  boolean stop(String typed) throws EleyException {
    requireNumber(typed);
    return jobs().stop(typed, Pause.sleeping());
  }

  private static void requireNumber(String typed) {
    if (!UserJobs.isNumber(typed)) {
      throw new IllegalArgumentException("'" + typed + "' is no number of a job");
    }
  }

  /** The user's defaults of options. */
  static Path configuration() {
    return Home.directory().resolve(Path.of(".eley", "eley.conf"));
  }
}
