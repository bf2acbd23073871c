package io.eley.scheduler.hooks.job;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.time.Duration;
import java.util.Optional;

/** Waits for a buffer's job to get somewhere, and notes how far it is meanwhile. */
final class BufferWatch {
  /** A job that was just submitted may not be listed yet. */
  private static final int MOST_POLLS_ABSENT = 4;

  /** The served job is asked for once in so long, or at each poll where those are rarer. */
  private static final Duration BETWEEN_QUESTIONS = Duration.ofSeconds(1);

  /**
   * Slurm tells nobody when a comment changes, and hosts may be waited for through a night: while
   * nothing changes, polls become rarer by a half each, so that none is late by more than half of
   * what was waited for, nor by more than this.
   */
  private static final Duration RAREST = Duration.ofSeconds(15);

  /** A Slurm that is busy for minutes must not end a wait of hours. */
  private static final int MOST_UNANSWERED = 20;

  /** What a buffer is waited for. */
  @FunctionalInterface
  interface Condition {
    /**
     * Whether it holds; asked at each look, and again when Slurm did not answer.
     *
     * @throws EleyException when it asks Slurm something, which does not answer
     */
    boolean holdsFor(BufferJob buffer) throws EleyException;
  }

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
   * stage bounds the wait. What Slurm does not answer is asked again, the first question, too:
   * where many jobs are submitted at once, all of them ask it together. One more than {@value
   * #MOST_UNANSWERED} such looks in a row end the wait.
   *
   * @param what the buffer is to do, for messages
   * @throws EleyException when the buffer has ended, the served job was cancelled, or Slurm does
   *     not answer
   */
  BufferJob await(long job, Condition condition, String what) throws EleyException {
    var sinceAsked = Duration.ZERO;
    var rest = BufferQueue.POLL;
    int absent = 0;
    int unanswered = 0;
    Optional<BufferJob> noted = Optional.empty();
    while (true) {
      Optional<BufferJob> there;
      boolean ended;
      try {
        there = queue.find(job);
        ended = there.isPresent() && endsTheWait(there.get(), condition);
        unanswered = 0;
      } catch (EleyException e) {
        if (++unanswered > MOST_UNANSWERED) {
          throw e;
        }
        rest = rarer(rest);
        pause.forTime(rest);
        continue;
      }
      boolean news = !there.equals(noted);
      if (there.isPresent() && news) {
        notes.writeProgress(job, there.get());
        noted = there;
      }
      if (ended) {
        return there.orElseThrow();
      }
      absent = there.isPresent() ? 0 : absent + 1;
      if (absent > MOST_POLLS_ABSENT) {
        throw new EleyException(
            ErrorCode.UNAVAILABLE,
            "the buffer of job " + job + " has ended before it could " + what);
      }
      if (sinceAsked.compareTo(BETWEEN_QUESTIONS) >= 0) {
        if (isKnownToBeOver(job)) {
          throw new EleyException(ErrorCode.UNAVAILABLE, "job " + job + " was cancelled");
        }
        sinceAsked = Duration.ZERO;
      }
      rest = news ? BufferQueue.POLL : rarer(rest);
      sinceAsked = sinceAsked.plus(rest);
      pause.forTime(rest);
    }
  }

  /** A squeue that hangs says nothing about the served job either, and is due again soon. */
  private boolean isKnownToBeOver(long job) {
    try {
      return queue.isOver(job);
    } catch (EleyException e) {
      return false; // an interruption stays, and ends the next pause
    }
  }

  private static boolean endsTheWait(BufferJob buffer, Condition condition) throws EleyException {
    return buffer.failed() || condition.holdsFor(buffer);
  }

  private static Duration rarer(Duration rest) {
    var next = rest.multipliedBy(3).dividedBy(2);
    return next.compareTo(RAREST) < 0 ? next : RAREST;
  }
}
