package io.eley.scheduler.hooks.job;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A job with a directive, as Slurm knows it. It is asked for in numbers and states alone: names and
 * comments are for their user to write, and could pretend to be another line or field.
 *
 * @param id its number
 * @param uid number of its user, never root's
 * @param gid number of its group
 */
record ServedJob(long id, long uid, long gid) {
  /** Number, user, group and state. */
  static final String FORMAT = "%A|%U|%G|%T";

  private static final Pattern LINE =
      Pattern.compile("(\\d{1,18})\\|(\\d{1,10})\\|(\\d{1,10})\\|(\\w+)");

  /** An account's or a QOS's; of a job without one squeue says {@code (null)}. */
  private static final Pattern NAME = Pattern.compile("[\\w.@+-]{1,200}");

  /** Of a job without one squeue says {@code UNLIMITED} or {@code NOT_SET}. */
  private static final Pattern TIME = Pattern.compile(BufferTimes.TIME);

  /**
   * Asks Slurm. Blocks for one squeue.
   *
   * @throws EleyException when there is no such job, it does not wait to be served, or is root's
   */
  static ServedJob find(SlurmCommands slurm, long job) throws EleyException {
    List<String> lines =
        slurm.lines(List.of("squeue", "--noheader", "--jobs=" + job, "--format=" + FORMAT));
    for (String line : lines) {
      Matcher fields = LINE.matcher(line.strip());
      // Of a heterogeneous job all components are listed.
      if (fields.matches() && Long.parseLong(fields.group(1)) == job) {
        return of(job, fields);
      }
    }
    throw new EleyException(ErrorCode.NOT_FOUND, "Slurm knows no job " + job);
  }

  /**
   * The account that it is charged to, if it has one. Asked for alone: what a user writes there can
   * be nothing but an account, and whether it is his Slurm says. Blocks for one squeue.
   *
   * @throws EleyException when Slurm does not answer
   */
  Optional<String> account(SlurmCommands slurm) throws EleyException {
    return ask(slurm, id, "%a", NAME);
  }

  /**
   * The QOS that it runs with, if it has one. Blocks for one squeue, and is asked for as {@link
   * #account} is.
   *
   * @throws EleyException when Slurm does not answer
   */
  Optional<String> qos(SlurmCommands slurm) throws EleyException {
    return ask(slurm, id, "%q", NAME);
  }

  /**
   * How long a job may run, if that has an end. Blocks for one squeue.
   *
   * @throws EleyException when Slurm does not answer
   */
  static Optional<String> limit(SlurmCommands slurm, long job) throws EleyException {
    return ask(slurm, job, "%l", TIME);
  }

  private static Optional<String> ask(
      SlurmCommands slurm, long job, String format, Pattern sensible) throws EleyException {
    return slurm
        .lines(List.of("squeue", "--noheader", "--jobs=" + job, "--format=" + format))
        .stream()
        .map(String::strip)
        .filter(line -> sensible.matcher(line).matches())
        .findFirst();
  }

  private static ServedJob of(long job, Matcher fields) throws EleyException {
    if (!fields.group(4).equals("PENDING")) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE,
          "job " + job + " is " + fields.group(4) + ": buffers are made for jobs that wait");
    }
    long uid = Long.parseLong(fields.group(2));
    if (uid == 0) {
      throw new EleyException(ErrorCode.ACCESS_DENIED, "job " + job + " is root's");
    }
    return new ServedJob(job, uid, Long.parseLong(fields.group(3)));
  }

  /**
   * What its script asks for. Blocks for one scontrol.
   *
   * @throws EleyException {@code MALFORMED} when that is nothing, or makes no sense
   */
  Directive directive(SlurmCommands slurm) throws EleyException {
    List<String> script =
        slurm.lines(List.of("scontrol", "write", "batch_script", Long.toString(id), "-"));
    return Directive.required(script);
  }
}
