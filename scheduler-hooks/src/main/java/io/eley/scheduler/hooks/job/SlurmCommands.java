package io.eley.scheduler.hooks.job;

import io.eley.bb.api.edge.PlainText;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.scheduler.hooks.command.CommandRunner;
import io.eley.scheduler.hooks.command.CommandRunner.Output;
import io.eley.scheduler.hooks.command.Commands;
import io.eley.scheduler.hooks.signal.SignalException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What is asked of Slurm, with its complaints as errors of one line. Blocks for as long as the
 * commands do, which the port bounds.
 */
public final class SlurmCommands {
  /** Heterogeneous jobs with steps that overlap, as the scripts use them. */
  private static final String OLDEST = "22.05";

  /** {@code SlurmUser = slurm(64030)}. */
  private static final Pattern SLURM_USER =
      Pattern.compile("SlurmUser\\s+=\\s+\\S+\\((\\d{1,10})\\)");

  /** What its commands put before their words: {@code squeue: error: }. */
  private static final Pattern NOISE =
      Pattern.compile("^(s[a-z]+: )?(error|fatal): |^slurm_\\w+ error: |^sbatch: ");

  /** How sbatch ends what it says of a job that it has not submitted. */
  private static final String FAILED = "Batch job submission failed: ";

  /** Such an end of which the line before it says more. */
  private static final Pattern FAILED_SOMEHOW =
      Pattern.compile(FAILED + "(Job violates accounting/QOS policy|Unspecified error).*");

  /** How a command says that this host has no configuration of Slurm. */
  private static final Pattern NO_CONTROLLER =
      Pattern.compile("resolve_ctls_from_dns_srv|fetch_config|Could not establish a config");

  private static final String BEFORE_AGAIN = ": look at squeue before you submit it again";

  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private final CommandRunner commands;

  /** Asks nothing yet. */
  public SlurmCommands(CommandRunner commands) {
    this.commands = commands;
  }

  /** The Slurm of this host. Each command may take half a minute. */
  public static SlurmCommands ofThisHost() {
    return new SlurmCommands(new Commands(DEADLINE, Map.of()));
  }

  /**
   * Refuses what is no Slurm that we can work with.
   *
   * @throws EleyException in one line: no Slurm here, or one older than {@value #OLDEST}
   */
  public void requireSlurm() throws EleyException {
    String said = String.join(" ", lines(List.of("sinfo", "--version"))).strip();
    var version = Pattern.compile("(?i)slurm\\S* (\\d{2})\\.(\\d{2})\\b.*").matcher(said);
    if (!version.matches()) {
      throw new EleyException(
          ErrorCode.INCOMPATIBLE, "sinfo says '" + said + "', which is no version of Slurm");
    }
    String found = version.group(1) + "." + version.group(2);
    if (found.compareTo(OLDEST) < 0) {
      throw new EleyException(
          ErrorCode.INCOMPATIBLE,
          "this is Slurm " + found + "; jobs with a buffer need " + OLDEST + " or newer");
    }
  }

  /**
   * The number of the user that slurmctld runs as.
   *
   * @throws EleyException in one line: no Slurm here, or it does not say
   */
  public long slurmUser() throws EleyException {
    for (String line : lines(List.of("scontrol", "show", "config"))) {
      var found = SLURM_USER.matcher(line.strip());
      if (found.matches()) {
        return Long.parseLong(found.group(1));
      }
    }
    throw new EleyException(ErrorCode.MALFORMED, "scontrol does not say who SlurmUser is");
  }

  /**
   * Refuses, before submission, what no node can hold.
   *
   * @param parts what the memory is made of, for who has to give less
   * @throws EleyException in one line: no Slurm here, or no node with so much memory
   */
  public void requireRoom(long mebibytes, String parts) throws EleyException {
    Output sinfo = run(List.of("sinfo", "--noheader", "--format=%m"));
    if (sinfo.status() != 0) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "Slurm does not answer: " + complaint(sinfo));
    }
    long largest =
        sinfo
            .text()
            .lines()
            .map(l -> l.strip().replace("+", ""))
            .filter(l -> l.matches("\\d{1,15}"))
            .mapToLong(Long::parseLong)
            .max()
            .orElse(Long.MAX_VALUE);
    if (mebibytes > largest) {
      throw new EleyException(
          ErrorCode.NO_SPACE,
          "a host of this job needs "
              + mebibytes
              + " MiB, and the largest node here has "
              + largest
              + "; give less: of it "
              + parts);
    }
  }

  /**
   * Submits a script.
   *
   * @param options further ones of sbatch
   * @return the job's number
   * @throws EleyException with Slurm's own words
   */
  public long submit(String script, List<String> options) throws EleyException {
    return submit(List.of(), script, options);
  }

  /**
   * Submits a script that finds nothing of this process's environment in its own. Slurm is told to
   * export all that there is: told to export some names, slurmd asks the user's login shell for the
   * rest, and newer ones cancel jobs of users who have none.
   *
   * @param environment what the script finds, beside what Slurm puts there
   * @param options further ones of sbatch
   * @return the job's number
   * @throws EleyException with Slurm's own words
   */
  long submitIn(Map<String, String> environment, String script, List<String> options)
      throws EleyException {
    var clean = new ArrayList<>(List.of("env", "-i"));
    environment.forEach((name, value) -> clean.add(name + "=" + value));
    var all = new ArrayList<>(options);
    all.add("--export=ALL");
    return submit(clean, script, all);
  }

  private long submit(List<String> before, String script, List<String> options)
      throws EleyException {
    Path file = written(script);
    try {
      var command = new ArrayList<>(before);
      command.addAll(List.of("sbatch", "--parsable"));
      command.addAll(options);
      command.add(file.toString());
      Output sbatch = runSbatch(command);
      String answer = number(sbatch.text());
      if (sbatch.status() != 0) {
        throw new EleyException(ErrorCode.UNAVAILABLE, "sbatch refuses: " + refusal(sbatch));
      }
      if (!BufferJob.isNumber(answer)) {
        throw new EleyException(
            ErrorCode.MALFORMED,
            "sbatch says '" + answer + "', which is no job's number" + BEFORE_AGAIN);
      }
      return Long.parseLong(answer);
    } finally {
      remove(file);
    }
  }

  /** One that is not waited for to its end, as with its {@code --wait}, may have submitted. */
  private Output runSbatch(List<String> command) throws EleyException {
    try {
      return run(command);
    } catch (EleyException e) {
      if (e.getCause() instanceof SignalException failed && !failed.isAbsent()) {
        throw new EleyException(e.code(), e.getMessage() + BEFORE_AGAIN, failed);
      }
      throw e;
    }
  }

  /**
   * The last line that is a job's number, with or without its cluster's name: a site's own sbatch
   * may say more. All of it when there is none.
   */
  private static String number(String answer) {
    return answer
        .lines()
        .map(line -> line.strip().replaceAll(";.*", ""))
        .filter(BufferJob::isNumber)
        .reduce((first, last) -> last)
        .orElse(answer.strip());
  }

  /**
   * Where a job's output goes; empty when Slurm does not say, as of a job that is over already.
   *
   * @throws EleyException when Slurm does not answer
   */
  public Optional<String> outputOf(long job) throws EleyException {
    String prefix = "StdOut=";
    return run(List.of("scontrol", "show", "job", Long.toString(job)))
        .text()
        .lines()
        .map(String::strip)
        .filter(line -> line.startsWith(prefix))
        .map(line -> PlainText.escape(line.substring(prefix.length())))
        .findFirst();
  }

  private static Path written(String script) throws EleyException {
    try {
      return Files.writeString(Files.createTempFile("eley-", ".sh"), script);
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "the script cannot be written: " + e.getMessage(), e);
    }
  }

  /** Slurm has copied it. */
  private static void remove(Path file) throws EleyException {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new EleyException(ErrorCode.ACCESS_DENIED, "cannot remove " + file, e);
    }
  }

  /**
   * What a command prints.
   *
   * @throws EleyException with its own words when it fails
   */
  List<String> lines(List<String> command) throws EleyException {
    return lines(command, run(command));
  }

  /**
   * What a command has printed.
   *
   * @throws EleyException with its own words when it has failed
   */
  static List<String> lines(List<String> command, Output output) throws EleyException {
    if (output.status() != 0) {
      throw new EleyException(ErrorCode.UNAVAILABLE, command.get(0) + ": " + complaint(output));
    }
    return output.text().lines().toList();
  }

  /** Runs a command to its end, whatever that is. */
  Output run(List<String> command) throws EleyException {
    try {
      return commands.run(command);
    } catch (SignalException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE,
          e.isAbsent() ? "there is no Slurm here: " + e.getMessage() : e.getMessage() + "",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.UNAVAILABLE, "interrupted", e);
    }
  }

  /**
   * Why sbatch refuses a job: its last words and those before, since a site may greet whoever
   * submits, and give a reason of its own.
   */
  private static String refusal(Output sbatch) {
    List<String> lines =
        sbatch.errors().lines().map(SlurmCommands::quiet).filter(l -> !l.isBlank()).toList();
    int last = lines.size() - 1;
    if (last < 1 || !lines.get(last).startsWith(FAILED)) {
      return complaint(sbatch);
    }
    return FAILED_SOMEHOW.matcher(lines.get(last)).matches()
        ? lines.get(last - 1)
        : lines.get(last - 1) + "; " + lines.get(last);
  }

  private static String quiet(String line) {
    return NOISE.matcher(line.strip()).replaceFirst("");
  }

  /** What a command complains of, or how it ended when it says nothing. */
  static String complaint(Output output) {
    String said = quiet(output.complaint());
    return said.isBlank()
        ? "exit code " + output.status()
        : NO_CONTROLLER.matcher(said).lookingAt()
            ? "Slurm is installed here but not set up: it finds no slurm.conf and no controller"
            : said;
  }
}
