package io.eley.scheduler.hooks.job;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many buffers of one user a stage of Slurm's waits for. Slurm runs such stages of 128 jobs at
 * once, of all users together; with the 129th everybody else's jobs wait. So one user has a quarter
 * of that. Names and comments are for that user to write: who makes fewer of his buffers seem to
 * wait ends their stages, too.
 */
final class WaitingBuffers {
  static final int MOST = 32;

  /** Number, number of its user, name, and comment. */
  static final String FORMAT = "%A|%U|%j|%k";

  private static final Pattern LINE =
      Pattern.compile("\\d{1,18}\\|(\\d{1,10})\\|eley-bb-\\d{1,18}\\|(.*)");

  private WaitingBuffers() {}

  /**
   * Refuses a buffer to whose job's user enough wait already. Blocks for one squeue.
   *
   * @throws EleyException {@code UNAVAILABLE} in one line that becomes the job's reason
   */
  static void requireFew(SlurmCommands slurm, String partition, ServedJob served)
      throws EleyException {
    String uid = Long.toString(served.uid());
    long waiting =
        slurm
            .lines(
                List.of(
                    "squeue",
                    "--noheader",
                    "--format=" + FORMAT,
                    "--user=" + uid,
                    "--partition=" + partition))
            .stream()
            .filter(line -> waits(line, uid))
            .count();
    if (waiting >= MOST) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE,
          waiting
              + " other buffers of this user wait for hosts or input, and "
              + MOST
              + " are the most: cancel this job, and submit it again when fewer do");
    }
  }

  private static boolean waits(String line, String uid) {
    Matcher fields = LINE.matcher(line.strip());
    return fields.matches()
        && fields.group(1).equals(uid)
        && BufferProgress.of(fields.group(2)).awaited();
  }
}
