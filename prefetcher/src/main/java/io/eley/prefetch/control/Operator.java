package io.eley.prefetch.control;

import io.eley.api.BufferMode;
import java.time.Duration;

/** A rule that turns what is known about phases into permits. Pure. */
public sealed interface Operator permits NoAction, FullDelay {
  Decision decide(Conditions conditions);

  /**
   * The operator of a mode. Without a buffer on the read path (NaiveBB) there is nothing to hold.
   *
   * @param demand see {@link FullDelay}
   * @param delayMax see {@link FullDelay}
   * @param cappedBytesPerSecond see {@link FullDelay}
   */
  static Operator of(
      BufferMode mode, DemandPolicy demand, Duration delayMax, long cappedBytesPerSecond) {
    return switch (mode) {
      case NAIVE_BB, NO_ACTION -> new NoAction();
      case FULL_DELAY -> new FullDelay(demand, delayMax, cappedBytesPerSecond);
    };
  }
}
