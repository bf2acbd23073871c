package io.eley.prefetcher.control;

import io.eley.bb.api.Permit;
import java.time.Duration;

/**
 * Keeps the current decision and makes permits of it. Permits live for {@code timeToLive} and are
 * renewed every {@code renewal}, half of it at most, so that a renewal may come late by as much
 * before a node stops by itself.
 *
 * <p>Not thread-safe: one thread owns it. Times are nanoseconds of any monotonic clock.
 */
public final class PermitController {
  private final Operator operator;
  private final Duration timeToLive;
  private final Duration renewal;
  private final HoldAge age;
  private Decision decision;
  private long renewedAt;
  private long sequence;

  /**
   * A controller that knows of no phase.
   *
   * @param delayMax see {@code eley.delay.max}
   * @param now the current time
   */
  public PermitController(
      Operator operator, Duration delayMax, Duration timeToLive, Duration renewal, long now) {
    this.age = new HoldAge(delayMax, now);
    this.operator = operator;
    this.timeToLive = timeToLive;
    this.renewal = renewal;
    this.renewedAt = now;
    this.decision = operator.decide(Conditions.quiet());
  }

  /**
   * Decides anew. Call it when phases change, and regularly, since a hold's age matters as well.
   *
   * @param seen what is known; how long the hold has lasted is known here
   * @return whether the nodes need new permits now, because the decision has changed or the last
   *     permits are due for renewal
   */
  public boolean update(Conditions seen, long now) {
    Decision before = decision;
    decision = operator.decide(seen.withHeldFor(age.advance(seen.inPhase(), now)));
    boolean due = !decision.equals(before) || now - renewedAt >= renewal.toNanos();
    if (due) {
      renewedAt = now;
    }
    return due;
  }

  /** The present decision. */
  public Decision decision() {
    return decision;
  }

  /** A permit for one node; each one's sequence is larger than that of all before it. */
  public Permit nextPermit() {
    return decision.permit(++sequence, timeToLive);
  }
}
