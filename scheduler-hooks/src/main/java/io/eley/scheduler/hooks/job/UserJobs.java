package io.eley.scheduler.hooks.job;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.scheduler.hooks.command.CommandRunner.Output;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * A user's own jobs with a buffer, found by their numbers: those of {@code eley sbatch}, and those
 * that {@code burst_buffer.lua} has given one. Blocks for Slurm's commands.
 */
public final class UserJobs {
  /** So many of those that are over are listed. */
  private static final int MOST_ENDED = 10;

  private static final Duration POLL = Duration.ofMillis(500);

  /** Two minutes of polls; a job has {@code KillWait} and its steps' grace. */
  private static final int MOST_POLLS = 240;

  private final SlurmCommands slurm;
  private final JobFiles own;
  private final List<JobFiles> places;
  private final String option;

  /**
   * Asks nothing yet.
   *
   * @param jobs where the jobs of {@code eley sbatch} have their files
   * @param buffers where the buffers of {@code #BB_LUA} jobs have theirs
   * @param option the one that said so, with a space before it, for commands that are advised;
   *     empty where none was typed
   */
  public UserJobs(SlurmCommands slurm, Path jobs, Path buffers, String option) {
    this.slurm = slurm;
    this.option = option;
    own = new JobFiles(jobs);
    places = List.of(own, new JobFiles(buffers));
  }

  /**
   * Whether a deployment's directory is one that a job's script has made for itself: by the marks
   * of its start, which it has beside it. Its name proves nothing.
   */
  public static boolean isOfAJob(Path deployment) {
    return Files.isDirectory(beside(deployment, JobFiles.MARKS));
  }

  /** Whether a deployment's directory is one of a {@code #BB_LUA} job: by its script's own log. */
  public static boolean isOfADirective(Path deployment) {
    return isOfAJob(deployment) && Files.exists(beside(deployment, JobFiles.SCRIPT_LOG));
  }

  private static Path beside(Path deployment, Path file) {
    return deployment.toAbsolutePath().normalize().resolveSibling(file);
  }

  /** Whether a text may be the number of a job, as {@link #number} takes it. */
  public static boolean isNumber(String text) {
    return text.matches("0*[1-9]\\d{0,17}([+_]\\d{1,9})?");
  }

  /**
   * The number of a job as people and Slurm write it: {@code 42}, {@code 42+0} of a component, or
   * {@code 42_3} of an array, which Slurm is asked for.
   *
   * @throws EleyException {@code MALFORMED} when it is none, {@code UNAVAILABLE} for a task of an
   *     array that Slurm does not know any more
   */
  public long number(String text) throws EleyException {
    if (text.matches("\\d{1,18}(\\+\\d{1,4})?")) {
      return Long.parseLong(text.replaceAll("\\+.*", ""));
    }
    if (text.matches("\\d{1,18}_\\d{1,9}")) {
      var command = List.of("squeue", "--noheader", "--jobs=" + text, "--format=%A");
      Output squeue = slurm.run(command);
      if (isOver(squeue)) {
        throw new EleyException(
            ErrorCode.UNAVAILABLE,
            "task "
                + text
                + " is over, or none of yours: `eley jobs"
                + option
                + "` lists what is over by Slurm's own numbers");
      }
      List<String> numbers = SlurmCommands.lines(command, squeue);
      if (!numbers.isEmpty() && BufferJob.isNumber(numbers.get(0).strip())) {
        return Long.parseLong(numbers.get(0).strip());
      }
    }
    throw new EleyException(ErrorCode.MALFORMED, "'" + text + "' is no number of a job");
  }

  /**
   * The directory of the deployment of a job that runs. Slurm is asked only of one whose
   * coordinator takes no connections: a job that died with its host leaves the address.
   *
   * @throws EleyException {@code UNAVAILABLE} in one line that says why there is none
   */
  public Path deployment(long job) throws EleyException {
    for (JobFiles files : places) {
      if (files.answers(job)) {
        if (files.isSilent(job)) {
          requireQueued(job);
        }
        return files.deployment(job);
      }
    }
    throw new EleyException(ErrorCode.UNAVAILABLE, whyNot(job));
  }

  /**
   * The file with the phases that a job has met, while it runs and afterwards.
   *
   * @throws EleyException {@code UNAVAILABLE} when there is none
   */
  public Path ledger(long job) throws EleyException {
    for (JobFiles files : places) {
      if (files.answers(job)) {
        return files.deployment(job).resolve("ledger.csv");
      }
    }
    return require(job, JobFiles::ledger);
  }

  /**
   * What was said at the end of a job that is over; empty while its buffer answers, or never did.
   */
  public Optional<Path> summary(long job) {
    boolean over = places.stream().noneMatch(files -> files.answers(job));
    return Optional.of(own.summary(job)).filter(file -> over && Files.exists(file));
  }

  /**
   * The directory of a job's logs, while it runs and afterwards.
   *
   * @throws EleyException {@code UNAVAILABLE} when there are none
   */
  public Path logs(long job) throws EleyException {
    return require(job, JobFiles::logs);
  }

  private Path require(long job, BiFunction<JobFiles, Long, Path> kind) throws EleyException {
    Optional<Path> found = left(job, kind);
    if (found.isEmpty()) {
      throw new EleyException(ErrorCode.UNAVAILABLE, whyNot(job));
    }
    return found.get();
  }

  private void requireQueued(long job) throws EleyException {
    if (isOver(state(Long.toString(job)))) {
      throw new EleyException(ErrorCode.UNAVAILABLE, whyNot(job));
    }
  }

  /** Not that Slurm cannot be asked. */
  private static boolean isOver(Output squeue) {
    return squeue.status() == 0
        ? squeue.text().isBlank()
        : squeue.complaint().contains("nvalid job id");
  }

  private String whyNot(long job) throws EleyException {
    Output squeue = state(Long.toString(job));
    String[] said = squeue.text().lines().findFirst().orElse("").split("\\|", 2);
    if (squeue.status() != 0 && !isOver(squeue)) {
      return "Slurm does not say what job "
          + job
          + " is: "
          + SlurmCommands.complaint(squeue)
          + leavings(job);
    }
    if (squeue.status() != 0 || said.length < 2) {
      return "job "
          + job
          + (isKnown(job) ? " is over" : " is over, or none of yours")
          + leavings(job)
          + "; `eley jobs"
          + option
          + "` lists yours";
    }
    if (!said[0].equals("RUNNING")) {
      return "job " + job + " is " + said[0] + " (" + said[1] + "): it has no buffer now";
    }
    if (isKnown(job)) {
      return "the buffer of job "
          + job
          + " is still coming up"
          + left(job, JobFiles::logs).map(logs -> "; its logs are in " + logs).orElse("");
    }
    String searched =
        places.stream()
            .map(files -> files.directory().toString())
            .distinct()
            .collect(Collectors.joining(" or "));
    return "job "
        + job
        + " runs, but no job with a buffer has its files in "
        + searched
        + " (--jobs names another directory)";
  }

  /** What there is of a job that needs no word of Slurm. */
  private String leavings(long job) {
    String words = option + " " + job;
    return (Files.exists(own.summary(job)) ? "; `eley summary" + words + "` has its numbers" : "")
        + left(job, JobFiles::ledger)
            .map(file -> "; `eley ledger" + words + "` has its phases")
            .orElse("")
        + left(job, JobFiles::logs).map(logs -> "; its logs are in " + logs).orElse("");
  }

  /** Whether a job's script has run in any of the places. */
  private boolean isKnown(long job) {
    return places.stream().anyMatch(files -> files.knows(job));
  }

  /** What there is of a job's files of a kind, in the first place that has some. */
  private Optional<Path> left(long job, BiFunction<JobFiles, Long, Path> kind) {
    return places.stream().map(files -> kind.apply(files, job)).filter(Files::exists).findFirst();
  }

  private Output state(String job) throws EleyException {
    return slurm.run(List.of("squeue", "--noheader", "--jobs=" + job, "--format=%T|%r"));
  }

  /**
   * The user's jobs: those in Slurm's queue that bear Eley's mark, then the latest that are over
   * and have left files. Whose they are is the kernel's word: a name that squeue does not take
   * (since 26.05 `nobody` is one) is an empty list to it.
   */
  public List<UserJob> list() throws EleyException {
    var jobs = new ArrayList<UserJob>();
    var queued = new HashSet<Long>(); // a job that a buffer serves bears no mark
    for (String line :
        slurm.lines(List.of("squeue", "--noheader", "--me", "--format=" + UserJob.FORMAT))) {
      UserJob.idOf(line).ifPresent(queued::add);
      UserJob.parse(line)
          .map(job -> job.running() ? job.with(progress(job.id())) : job)
          .ifPresent(jobs::add);
    }
    places.stream()
        .flatMap(files -> files.jobs().stream())
        .filter(id -> !queued.contains(id))
        .distinct()
        .sorted(Comparator.reverseOrder())
        .limit(MOST_ENDED)
        .map(id -> UserJob.ended(id, left(id)))
        .forEach(jobs::add);
    return jobs;
  }

  private List<String> left(long job) {
    return places.stream().flatMap(files -> files.left(job).stream()).distinct().toList();
  }

  private String progress(long job) {
    return places.stream().anyMatch(files -> files.answers(job))
        ? "buffer is there"
        : isKnown(job) ? "coming up" : "";
  }

  /**
   * Ends a job and waits until Slurm has no process of it, two minutes at most. Of an array one
   * task ends alone; of a job of several components all of it, for which its buffer is.
   *
   * @param typed as {@link #number} takes it
   * @return whether there was anything to end; if not, it was over before
   * @throws EleyException {@code MALFORMED} when that is no number, {@code NOT_FOUND} for a job
   *     that is none of Eley's, {@code DEADLINE} when it does not end, or Slurm's own words
   */
  public boolean stop(String typed, Pause pause) throws EleyException {
    long job = number(typed);
    // While a task waits, and when it was the last to leave the array, its number is the array's.
    String named = typed.contains("_") ? typed : Long.toString(job);
    if (!isKnown(job) && list().stream().noneMatch(j -> j.id() == job)) {
      throw new EleyException(
          ErrorCode.NOT_FOUND,
          "job "
              + named
              + " is no job of yours with a buffer; `eley jobs"
              + option
              + "` lists them");
    }
    if (isOver(state(named))) {
      return false; // which scancel does not say
    }
    slurm.lines(List.of("scancel", named));
    for (int i = 0; i < MOST_POLLS; i++) {
      if (isOver(state(named))) {
        return true;
      }
      pause.forTime(POLL);
    }
    throw new EleyException(ErrorCode.DEADLINE, "job " + named + " is still ending");
  }
}
