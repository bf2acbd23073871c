package io.eley.prefetcher.control;

import io.eley.bb.api.Permit.Lane;
import java.util.Locale;

/**
 * During a phase, fetch at the largest rate whose modelled slowdown stays within the bound;
 * FullDelay where that is next to nothing, where the model knows nothing yet, and outside phases.
 *
 * <p>The rate is for all deployments that share the file system, all nodes and both lanes together:
 * each lane of each node gets an equal part. With the policies {@code capped} and {@code pass},
 * tasks that wait go on beyond it, as they do with FullDelay.
 *
 * @param hold the operator where nothing may be fetched
 * @param bound largest slowdown of a phase, as a fraction
 */
public record PartialDelay(FullDelay hold, double bound) implements Operator {
  /**
   * Rates are rounded to this many steps between powers of two, so that small changes do not renew
   * permits.
   */
  private static final long STEPS = 8;

  @Override
  public String label() {
    return "partial-delay";
  }

  @Override
  public Decision decide(Conditions conditions) {
    double rate = conditions.inPhase() ? rate(conditions) : 0;
    return rate > 0 ? at(rate, conditions) : hold.decide(conditions);
  }

  /**
   * The rate of all nodes of this deployment together, in bytes a second; 0 when nothing may be
   * fetched.
   */
  double rate(Conditions conditions) {
    if (conditions.outlook().nodes() == 0
        || !conditions.open().stream().allMatch(Conditions.Activity::aloneKnown)) {
      return 0;
    }
    double most =
        conditions.outlook().interference().largestRate(conditions.foreignBytesPerSecond(), bound);
    double lanes = 2.0 * conditions.outlook().nodes();
    long ofLane = (long) (most / conditions.outlook().sharers() / lanes);
    long step = Math.max(1, Long.highestOneBit(ofLane) / STEPS);
    return ofLane / step * step * lanes;
  }

  private Decision at(double rate, Conditions conditions) {
    long ofLane = (long) (rate / 2 / conditions.outlook().nodes());
    var lane = new Lane(ofLane, Integer.MAX_VALUE);
    Lane policy = hold.demandLane(conditions);
    boolean more = policy.bytesPerSecond() > ofLane;
    return new Decision(
        label(),
        lane,
        more ? policy : lane,
        String.format(
            Locale.ROOT,
            "partial delay for %s: %.1f MB/s of all nodes, bound %+.1f %%%s",
            conditions.applications(),
            rate / 1e6,
            100 * bound,
            more ? FullDelay.tasks(policy) : ""));
  }
}
