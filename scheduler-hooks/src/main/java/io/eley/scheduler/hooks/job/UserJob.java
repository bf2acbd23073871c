package io.eley.scheduler.hooks.job;

import io.eley.bb.api.edge.PlainText;
import io.eley.scheduler.hooks.slurm.EleyMark;
import java.util.List;
import java.util.Optional;

/**
 * A job with a buffer, as its user sees it: from Slurm's queue while it is there, from its files
 * afterwards.
 *
 * @param id its number
 * @param name the job's, empty when only files are left of it
 * @param state as Slurm has it, such as {@code RUNNING}; {@value #ENDED} afterwards
 * @param time for which it has run, as Slurm writes it; empty afterwards
 * @param about what else is known: why it waits, whether its buffer is ready, which files are left
 */
public record UserJob(long id, String name, String state, String time, String about) {
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
                PlainText.escape(fields[5]),
                fields[2],
                fields[3],
                RUNNING.contains(fields[2]) ? "" : "(" + PlainText.escape(fields[4]) + ")"))
        : Optional.empty();
  }

  /** What is left of a job that is over. */
  static UserJob ended(long id, List<String> left) {
    return new UserJob(id, "", ENDED, "", String.join(", ", left));
  }

  boolean running() {
    return state.equals("RUNNING");
  }

  UserJob with(String more) {
    return new UserJob(id, name, state, time, more);
  }
}
