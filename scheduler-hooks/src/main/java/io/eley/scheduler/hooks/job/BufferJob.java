package io.eley.scheduler.hooks.job;

import io.eley.bb.api.edge.PlainText;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.scheduler.hooks.slurm.EleyMark;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A buffer's own job, as squeue shows it: by {@value #FORMAT}, which is Slurm's to write alone, and
 * then, asked for by its number, by {@value #SAID}. Its user writes the comment, and with a line's
 * end in it could show a job of anybody's, for Slurm's own user to end.
 *
 * @param id its number
 * @param state as Slurm has it, such as {@code PENDING}
 * @param user who owns it
 * @param reason why it is not running
 * @param comment how far its script is, see {@link BufferProgress}
 */
record BufferJob(long id, String state, String user, String reason, String comment) {
  /** Number, number of its user, state, and login name. */
  static final String FORMAT = "%A|%U|%T|%u";

  static final String SAID = "%r|%k";

  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
  private static final Pattern LINE =
      Pattern.compile("(\\d{1,18})\\|(\\d{1,10})\\|(\\w+)\\|([^|]+)");

  /**
   * The job of a line by {@link #FORMAT}, of which is not known yet what it says; empty for a line
   * that is none, or another user's.
   */
  static Optional<BufferJob> parse(String line, String uid) {
    Matcher fields = LINE.matcher(line.strip());
    return fields.matches() && fields.group(2).equals(uid)
        ? Optional.of(
            new BufferJob(
                Long.parseLong(fields.group(1)), fields.group(3), fields.group(4), "", ""))
        : Optional.empty();
  }

  /** With the answer to {@link #SAID}: behind what a site greets with, all is the comment's. */
  BufferJob saying(List<String> answer) {
    String said = String.join("\n", answer.stream().dropWhile(l -> !l.contains("|")).toList());
    int bar = said.indexOf('|');
    return bar < 0
        ? this
        : new BufferJob(
            id,
            state,
            user,
            PlainText.escape(said.substring(0, bar)),
            PlainText.escape(EleyMark.without(said.substring(bar + 1))));
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
