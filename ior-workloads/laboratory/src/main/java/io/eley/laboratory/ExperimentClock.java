package io.eley.laboratory;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The clock of an experiment, and its pause between two polls of a process. */
public interface ExperimentClock {
  /** The time between two polls: short against a phase, long against what a poll costs. */
  Duration LOOK = Duration.ofMillis(50);

  /** The machine's clock. */
  ExperimentClock REAL =
      new ExperimentClock() {
        @Override
        public long epochMicros() {
          return TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
        }

        @Override
        public void pause() throws EleyException {
          try {
            TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EleyException(ErrorCode.UNAVAILABLE, "interrupted", e);
          }
        }
      };

  /** Time of day, microseconds since the epoch. */
  long epochMicros();

  /** Waits until the next poll. */
  void pause() throws EleyException;

  /**
   * Polls until a condition holds.
   *
   * @throws EleyException {@code DEADLINE} with the given words
   */
  default void until(Condition condition, Duration bound, String what) throws EleyException {
    long deadline = epochMicros() + TimeUnit.MILLISECONDS.toMicros(bound.toMillis());
    while (!condition.holds()) {
      if (epochMicros() > deadline) {
        throw new EleyException(
            ErrorCode.DEADLINE, what + " after " + bound.toSeconds() + " s; giving up");
      }
      pause();
    }
  }

  /** A condition that is polled. */
  @FunctionalInterface
  interface Condition {
    boolean holds() throws EleyException;
  }
}
