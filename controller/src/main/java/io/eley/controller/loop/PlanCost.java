package io.eley.controller.loop;

import java.time.Duration;

/**
 * Gives the time that planning takes of the thread that plans: measured in a process, modelled
 * elsewhere.
 */
@FunctionalInterface
public interface PlanCost {
  /** Runs the plan, once, and returns the time it took. */
  Duration of(Runnable plan);

  /** A cost that is measured by the timeline's clock. */
  static PlanCost measuredBy(Timeline timeline) {
    return plan -> {
      long began = timeline.now();
      plan.run();
      return Duration.ofNanos(timeline.now() - began);
    };
  }
}
