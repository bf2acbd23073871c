package io.eley.controller.loop;

import io.eley.prefetcher.control.Outlook.Work;

/**
 * All applications' plans in a few figures, in bytes.
 *
 * @param window of all windows
 * @param windowInRam the part of them that is in RAM
 * @param unfinished input that no task has finished
 * @param abandoned input whose stages have ended before it was read, since the start
 */
public record PlanFigures(long window, long windowInRam, long unfinished, long abandoned) {
  /** Figures of nothing planned. */
  public static final PlanFigures NOTHING = new PlanFigures(0, 0, 0, 0);

  /** What is left of the map phases. */
  Work work() {
    return new Work(unfinished, Math.min(unfinished, windowInRam));
  }

  /** The part of all windows that is in RAM, 0 to 1. */
  double fill() {
    return window == 0 ? 1 : (double) windowInRam / window;
  }
}
