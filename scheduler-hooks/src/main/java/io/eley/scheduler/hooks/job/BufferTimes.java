package io.eley.scheduler.hooks.job;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a buffer may ask for where a job that asks for no time gets less than the longest there is,
 * as sinfo says it and sbatch takes it. It is needed from before its job begins, however long that
 * waits for hosts, until after its end: so it asks for the longest. An account or a QOS may allow
 * less; then Slurm refuses the buffer, or never lets it begin, and it asks for a shorter time.
 *
 * @param standard of jobs that ask for none
 * @param longest of all jobs, or {@code infinite}
 */
record BufferTimes(String standard, String longest) {
  /** As sinfo and squeue print times. */
  static final String TIME = "(?:\\d{1,9}-)?\\d{1,9}(?::\\d{1,9}){1,2}";

  /** Without a word, and without a default of its own, there is none: {@code n/a}. */
  private static final Pattern TIMES =
      Pattern.compile("(" + TIME + ")\\|(" + TIME + "|infinite)\\s*");

  /**
   * Slurm's reasons that a shorter time can make go: of the limits MaxWall, MaxTRESMins,
   * GrpTRESMins and GrpTRESRunMins. By them it also refuses jobs.
   */
  private static final Pattern TOO_LONG =
      Pattern.compile("\\b(Assoc|QOS)(MaxWallDuration|\\w*Minutes)");

  /** The times of a line of sinfo; empty where nothing need be asked for. */
  static Optional<BufferTimes> parse(String line) {
    return Optional.of(TIMES.matcher(line))
        .filter(times -> times.matches() && !times.group(1).equals(times.group(2)))
        .map(times -> new BufferTimes(times.group(1), times.group(2)));
  }

  /** Whether what Slurm says of a job is that it asks for more time than it may. */
  static boolean isTooLong(String said) {
    return TOO_LONG.matcher(said).find();
  }

  /**
   * What is asked for instead of the longest: the limit of the served job, which account and QOS
   * have allowed, unless jobs that ask for nothing get more.
   *
   * @param served limit of the job that is served, if it has one
   */
  String shorter(Optional<String> served) {
    return served
        .filter(limit -> seconds(limit) > seconds(standard) && seconds(limit) < seconds(longest))
        .orElse(standard);
  }

  private static long seconds(String time) {
    if (time.equals("infinite")) {
      return Long.MAX_VALUE;
    }
    String[] days = time.split("-", 2);
    long seconds = 0;
    for (String part : days[days.length - 1].split(":", -1)) {
      seconds = seconds * 60 + Long.parseLong(part);
    }
    return days.length == 1 ? seconds : seconds + Long.parseLong(days[0]) * 24 * 60 * 60;
  }
}
