package io.eley.scheduler.hooks.job;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.util.Optional;
import java.util.function.Predicate;

/** Waits for a buffer's job to get somewhere, and notes how far it is meanwhile. */
final class BufferWatch {
  /** A job that was just submitted may not be listed yet. */
  private static final int MOST_POLLS_ABSENT = 4;

  /** The served job is asked for once a second. */
  private static final int POLLS_BETWEEN_QUESTIONS = 4;

  private final BufferQueue queue;
  private final BufferNotes notes;
  private final Pause pause;

  BufferWatch(BufferQueue queue, BufferNotes notes, Pause pause) {
    this.queue = queue;
    this.notes = notes;
    this.pause = pause;
  }

  /**
   * Blocks until the condition holds or the buffer's script has failed; Slurm's time limit of the
   * stage bounds the wait.
   *
   * @param what the buffer is to do, for messages
   * @throws EleyException when the buffer has ended, or the served job was cancelled
   */
  BufferJob await(long job, Predicate<BufferJob> condition, String what) throws EleyException {
    int polls = 0;
    int absent = 0;
    Optional<BufferJob> noted = Optional.empty();
    while (true) {
      Optional<BufferJob> there = queue.find(job);
      if (there.isPresent() && !there.equals(noted)) {
        notes.writeProgress(job, there.get());
        noted = there;
      }
      if (there.filter(b -> b.failed() || condition.test(b)).isPresent()) {
        return there.get();
      }
      absent = there.isPresent() ? 0 : absent + 1;
      if (absent > MOST_POLLS_ABSENT) {
        throw new EleyException(
            ErrorCode.UNAVAILABLE,
            "the buffer of job " + job + " has ended before it could " + what);
      }
      if (++polls % POLLS_BETWEEN_QUESTIONS == 0 && queue.isOver(job)) {
        throw new EleyException(ErrorCode.UNAVAILABLE, "job " + job + " was cancelled");
      }
      pause.forTime(BufferQueue.POLL);
    }
  }
}
