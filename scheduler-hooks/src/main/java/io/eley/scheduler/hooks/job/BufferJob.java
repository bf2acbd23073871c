package io.eley.scheduler.hooks.job;

import io.eley.bb.api.edge.PlainText;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.scheduler.hooks.slurm.EleyMark;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A buffer's own job, as {@code squeue --format=}{@value #FORMAT} shows it.
 *
 * @param id its number
 * @param state as Slurm has it, such as {@code PENDING}
 * @param user who owns it
 * @param reason why it is not running
 * @param comment how far its script is, see {@link BufferProgress}
 */
record BufferJob(long id, String state, String user, String reason, String comment) {
  static final String FORMAT = "%A|%T|%u|%r|%k";

  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

  /** The job of a line; empty for a line that is none. */
  static Optional<BufferJob> parse(String line) {
    String[] fields = line.split("\\|", 5);
    return fields.length == 5 && isNumber(fields[0])
        ? Optional.of(
            new BufferJob(
                Long.parseLong(fields[0]),
                fields[1],
                fields[2],
                PlainText.escape(fields[3]),
                PlainText.escape(EleyMark.without(fields[4]))))
        : Optional.empty();
  }

  /** Whether a text is a job's number. */
  static boolean isNumber(String text) {
    return NUMBER.matcher(text).matches();
  }

  BufferProgress progress() {
    return BufferProgress.of(comment);
  }

  /** Whether applications can use the buffer now. */
  boolean ready() {
    return running() && progress().usable();
  }

  boolean failed() {
    return progress() == BufferProgress.FAILED;
  }

  /** Whether it came up and could not stage the first input. */
  boolean failedToStage() {
    return failed() && BufferProgress.FAILED.detail(comment).startsWith("stage-in: ");
  }

  /** Whether Slurm never lets it begin, or not soon, as it asks for more time than it may have. */
  boolean tooLong() {
    return state.equals("PENDING") && BufferTimes.isTooLong(reason);
  }

  /** Whether it is being ended already, so that another scancel would be no use. */
  boolean ending() {
    return state.equals("COMPLETING");
  }

  private boolean running() {
    return state.equals("RUNNING");
  }

  /** How far it is, and why it does not run. */
  String describe() {
    return running() ? comment : comment + " (" + reason + ")";
  }

  /**
   * This job, unless its script has failed.
   *
   * @throws EleyException with the script's own words
   */
  BufferJob requireNotFailed() throws EleyException {
    if (failed()) {
      throw new EleyException(ErrorCode.UNAVAILABLE, BufferProgress.FAILED.detail(comment));
    }
    return this;
  }
}
