package io.eley.prefetcher.control;

import io.eley.bb.api.Permit.Lane;

/**
 * Between phases, fetch with more fetchers than usual while the end of the map phase depends on
 * fetching rather than on the tasks, to catch up before the next phase; FullDelay otherwise.
 *
 * @param hold the operator within phases
 * @param fetchers of each node that fetch at once to catch up; a node has {@code
 *     eley.fetch.concurrency-max} at most
 */
public record ScaleUp(FullDelay hold, int fetchers) implements Operator {
  @Override
  public String label() {
    return "scale-up";
  }

  @Override
  public Decision decide(Conditions conditions) {
    return behind(conditions)
        ? new Decision(
            label(),
            new Lane(Lane.UNLIMITED, fetchers),
            Lane.OPEN,
            "scale up: " + fetchers + " fetchers on each node catch up")
        : hold.decide(conditions);
  }

  private boolean behind(Conditions conditions) {
    Outlook outlook = conditions.outlook();
    return !conditions.inPhase()
        && conditions.expected().isEmpty()
        && conditions.doubt() == Conditions.Doubt.NONE
        && fetchers > outlook.fetchers()
        && outlook
            .performance()
            .fetchLimited(outlook.work(), outlook.duty(), 0, outlook.ownOpenRate());
  }
}
