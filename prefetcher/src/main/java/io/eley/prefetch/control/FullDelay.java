package io.eley.prefetch.control;

import io.eley.api.Permit.Lane;
import java.time.Duration;

/**
 * Hold prefetching while a phase is open, so that the phase takes as long as if its application
 * were alone.
 *
 * <p>Reads that tasks wait for follow the policy. With {@link DemandPolicy#WAIT}, {@code delayMax}
 * of 60 s and a cap of 16 MiB/s, a phase from 0 s to 90 s closes both lanes at 0 s, opens the
 * demand lane at 16 MiB/s for each node at 60 s, and opens both at 90 s.
 *
 * @param demand what becomes of reads that tasks wait for
 * @param delayMax how long a hold keeps them back at most
 * @param cappedBytesPerSecond their rate at each node afterwards, positive
 */
public record FullDelay(DemandPolicy demand, Duration delayMax, long cappedBytesPerSecond)
    implements Operator {
  public FullDelay {
    if (cappedBytesPerSecond < 1 || delayMax.isNegative()) {
      throw new IllegalArgumentException("the capped rate is positive, the delay not negative");
    }
  }

  @Override
  public Decision decide(Conditions conditions) {
    if (!conditions.inPhase()) {
      return new Decision(Lane.OPEN, Lane.OPEN, "no phase");
    }
    Lane lane = demand.lane(conditions.heldFor(), delayMax, cappedBytesPerSecond);
    String phases = "full delay for " + String.join(", ", conditions.openPhases());
    return new Decision(Lane.CLOSED, lane, phases + tasks(lane));
  }

  private static String tasks(Lane demand) {
    if (demand.closed()) {
      return "";
    }
    return demand.equals(Lane.OPEN)
        ? "; waiting tasks pass"
        : "; waiting tasks go on at a capped rate";
  }
}
