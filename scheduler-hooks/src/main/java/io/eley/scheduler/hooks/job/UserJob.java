package io.eley.scheduler.hooks.job;

import io.eley.bb.api.edge.PlainText;
import io.eley.scheduler.hooks.slurm.EleyMark;
import java.util.List;
import java.util.Optional;

/**
 * A job with a buffer, as its user sees it: from Slurm's queue while it is there, from its files
 * afterwards.
 *
 * @param id its number, which its files bear
 * @param number as Slurm writes it and people type it: {@code 42}; {@code 42_3} of an array, and
 *     {@code 42_[4-9]} of tasks that wait together
 * @param name the job's, empty when only files are left of it
 * @param state as Slurm has it, such as {@code RUNNING}; {@value #ENDED} afterwards
 * @param time for which it has run, as Slurm writes it; empty afterwards
 * @param about what else is known: why it waits, whether its buffer is ready, which files are left
 */
public record UserJob(
    long id, String number, String name, String state, String time, String about) {
  static final String FORMAT = "%i|%A|%T|%M|%r|%j|%k";
  static final String ENDED = "ended";

  /** Slurm's states of jobs whose processes run. */
  private static final List<String> RUNNING = List.of("RUNNING", "COMPLETING");

  /**
   * The job of a line of squeue; empty for a line that is none, for a job without Eley's mark, and
   * for all components of a heterogeneous job but its first.
   */
  static Optional<UserJob> parse(String line) {
    String[] fields = line.split("\\|", 7);
    return fields.length == 7
            && BufferJob.isNumber(fields[1])
            && !fields[0].matches(".*\\+[1-9]\\d*")
            && EleyMark.in(fields[6])
        ? Optional.of(
            new UserJob(
                Long.parseLong(fields[1]),
                fields[0].contains("_") ? PlainText.escape(fields[0]) : fields[1],
                PlainText.escape(fields[5]),
                fields[2],
                fields[3],
                RUNNING.contains(fields[2]) ? "" : "(" + PlainText.escape(fields[4]) + ")"))
        : Optional.empty();
  }

  /** The number in a line of squeue, with or without Eley's mark; empty for a line that is none. */
  static Optional<Long> idOf(String line) {
    String[] fields = line.split("\\|", 3);
    return fields.length == 3 && BufferJob.isNumber(fields[1])
        ? Optional.of(Long.parseLong(fields[1]))
        : Optional.empty();
  }

  /** What is left of a job that is over. */
  static UserJob ended(long id, List<String> left) {
    return new UserJob(id, Long.toString(id), "", ENDED, "", String.join(", ", left));
  }

  boolean running() {
    return state.equals("RUNNING");
  }

  UserJob with(String more) {
    return new UserJob(id, number, name, state, time, more);
  }
}
