package io.eley.prefetcher.control;

import io.eley.bb.api.Permit.Lane;
import java.time.Duration;
import java.util.Locale;

/**
 * Hold prefetching while a phase is open, so that the phase takes as long as if its application
 * were alone, and from a guard interval before one that is expected.
 *
 * <p>Reads that tasks wait for follow the policy, from the phase's real beginning on. With {@link
 * DemandPolicy#WAIT}, {@code delayMax} of 60 s and a cap of 16 MiB/s, a phase from 0 s to 90 s
 * closes both lanes at 0 s, opens the demand lane at 16 MiB/s for each node at 60 s, and opens both
 * at 90 s.
 *
 * <p>While nobody can see phases any more (blind), one fetch at a time goes on at each node. While
 * it is being found out whether there is one (listening), only what tasks wait for goes on.
 *
 * @param demand what happens to reads that tasks wait for
 * @param delayMax how long a hold keeps them back at most
 * @param cappedBytesPerSecond their rate afterwards, of all nodes together, positive
 */
public record FullDelay(DemandPolicy demand, Duration delayMax, long cappedBytesPerSecond)
    implements Operator {
  /** The reason of permits while a phase that nobody announces would not be noticed. */
  public static final String NOBODY_SEES = "nobody can see phases that are not announced";

  /** In the reason of a hold, before what those tasks do that it does not keep waiting. */
  public static final String WAITING_TASKS = "; waiting tasks";

  private static final Lane ONE_AT_A_TIME = new Lane(Lane.UNLIMITED, 1);

  public FullDelay {
    if (cappedBytesPerSecond < 1 || delayMax.isNegative()) {
      throw new IllegalArgumentException("the capped rate is positive, the delay not negative");
    }
  }

  @Override
  public String label() {
    return "full-delay";
  }

  @Override
  public Decision decide(Conditions conditions) {
    if (!conditions.inPhase()) {
      return conditions
          .expected()
          .map(e -> new Decision(label(), Lane.CLOSED, Lane.OPEN, expects(e)))
          .orElseGet(() -> gap(conditions));
    }
    Lane lane = demandLane(conditions);
    String phases = "full delay for " + conditions.applications();
    return new Decision(label(), Lane.CLOSED, lane, phases + tasks(lane));
  }

  private Decision gap(Conditions conditions) {
    return switch (conditions.doubt()) {
      case NONE -> new Decision(label(), Lane.OPEN, Lane.OPEN, "no phase");
      case UNSEEN -> new Decision(label(), Lane.OPEN, Lane.OPEN, NOBODY_SEES);
      case BLIND ->
          new Decision(
              label(), ONE_AT_A_TIME, Lane.OPEN, "no source sees phases: one fetch at a time");
      case LISTENING ->
          new Decision(
              label(), Lane.CLOSED, Lane.OPEN, "listening: the origin has become slower for us");
    };
  }

  private static String expects(Conditions.Expected e) {
    return String.format(Locale.ROOT, "a phase of %s is expected", e.application());
  }

  /** The demand lane of a hold. */
  Lane demandLane(Conditions conditions) {
    Lane capped = Lane.share(cappedBytesPerSecond, conditions.outlook().nodes());
    return demand.lane(conditions.heldFor(), delayMax, capped);
  }

  static String tasks(Lane demand) {
    if (demand.closed()) {
      return "";
    }
    return WAITING_TASKS + (demand.equals(Lane.OPEN) ? " pass" : " go on at a capped rate");
  }
}
