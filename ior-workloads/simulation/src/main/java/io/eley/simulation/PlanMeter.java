package io.eley.simulation;

import io.eley.controller.loop.PlanCost;
import java.time.Duration;

/**
 * Planning costs nothing of virtual time, so its cost is modelled: so much for each block of the
 * windows. What it really took on this machine is kept beside it.
 */
final class PlanMeter implements PlanCost {
  /** What a plan takes of a coordinator's time for each block of the windows. */
  private static final Duration OF_A_BLOCK = Duration.ofNanos(1_000);

  private final Duration modelled;
  private long plans;
  private long nanos;

  /**
   * Nothing planned yet.
   *
   * @param blocks of all windows together, at most
   */
  PlanMeter(long blocks) {
    modelled = OF_A_BLOCK.multipliedBy(blocks);
  }

  @Override
  public Duration of(Runnable plan) {
    long began = System.nanoTime();
    plan.run();
    nanos += System.nanoTime() - began;
    plans++;
    return modelled;
  }

  /** Plans made. */
  long plans() {
    return plans;
  }

  /** What one took on average, in real microseconds on this machine. */
  double meanMicros() {
    return plans == 0 ? 0 : nanos / 1e3 / plans;
  }
}
