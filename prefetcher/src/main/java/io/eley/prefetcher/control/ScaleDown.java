package io.eley.prefetcher.control;

import io.eley.bb.api.Permit.Lane;
import java.util.Locale;

/**
 * During a phase, fetch with fewer fetchers: as many on each node as the model predicts to be
 * within the bound, given what one fetcher moves when nothing limits it; FullDelay where not even
 * one is, and outside phases. Coarser than {@link PartialDelay}, but it needs no rate limit, and a
 * fetcher that is slowed down by the phase itself takes less by itself.
 *
 * @param hold the operator where nothing may be fetched
 * @param bound largest slowdown of a phase, as a fraction
 */
public record ScaleDown(FullDelay hold, double bound) implements Operator {
  @Override
  public String label() {
    return "scale-down";
  }

  @Override
  public Decision decide(Conditions conditions) {
    int fetchers = conditions.inPhase() ? fetchers(conditions) : 0;
    return fetchers > 0 ? with(fetchers, conditions) : hold.decide(conditions);
  }

  /**
   * How many fetchers each node may use; both lanes share them, so the prefetch lane gets all. They
   * are of all deployments together ({@link FairShare} divides them): none where not even one is
   * within the bound for each.
   */
  int fetchers(Conditions conditions) {
    Outlook outlook = conditions.outlook();
    double one = rateOfOne(outlook);
    if (one <= 0 || !conditions.open().stream().allMatch(Conditions.Activity::aloneKnown)) {
      return 0;
    }
    double most = outlook.interference().largestRate(conditions.foreignBytesPerSecond(), bound);
    int all = (int) Math.min(outlook.fetchers(), Math.floor(most / (one * outlook.nodes())));
    return all < outlook.sharers() ? 0 : all;
  }

  /** Bytes a second that one fetcher moves when nothing limits it. */
  static double rateOfOne(Outlook outlook) {
    PerformanceModel performance = outlook.performance();
    return outlook.nodes() == 0 || performance.openRate() == 0
        ? 0
        : performance.openRate() / outlook.nodes() / performance.openFetchers();
  }

  private Decision with(int fetchers, Conditions conditions) {
    Lane policy = hold.demandLane(conditions);
    return new Decision(
        label(),
        new Lane(Lane.UNLIMITED, fetchers),
        policy,
        String.format(
            Locale.ROOT,
            "scale down for %s: %d of %d fetchers on each node, bound %+.1f %%%s",
            conditions.applications(),
            fetchers,
            conditions.outlook().fetchers(),
            100 * bound,
            FullDelay.tasks(policy)));
  }
}
