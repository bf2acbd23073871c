package io.eley.laboratory;

import java.util.List;

/** Receives an experiment's progress. Called from several threads, one at a time. */
public interface Progress {
  /** A progress that shows nothing. */
  Progress SILENT =
      new Progress() {
        @Override
        public void step(int number, int of, String title) {}

        @Override
        public void advanced(double done, String detail) {}

        @Override
        public void note(String line) {}
      };

  /**
   * Notes what is to come, before the first step. The default does nothing.
   *
   * @param steps all of them
   */
  default void plan(List<PlannedStep> steps) {}

  /**
   * Notes that a new step begins, and with it the one before ends.
   *
   * @param number from 1
   * @param of how many there are
   * @param title a few words
   */
  void step(int number, int of, String title);

  /**
   * Notes how far the step has got.
   *
   * @param done 0 to 1
   * @param detail a few words, for example {@code 12 of 20 tasks}
   */
  void advanced(double done, String detail);

  /** Shows a note, on a line of its own that stays. */
  void note(String line);
}
