package io.eley.controller.loop;

import java.time.Duration;

/** Says what planning costs the thread that plans: measured in a process, modelled elsewhere. */
@FunctionalInterface
public interface PlanCost {
  /** Runs the plan, once, and says what it took. */
  Duration of(Runnable plan);

  /** Measured by the timeline's clock. */
  static PlanCost measuredBy(Timeline timeline) {
    return plan -> {
      long began = timeline.now();
      plan.run();
      return Duration.ofNanos(timeline.now() - began);
    };
  }
}
