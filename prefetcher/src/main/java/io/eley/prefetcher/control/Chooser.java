package io.eley.prefetcher.control;

import java.util.List;
import java.util.Locale;

/**
 * Takes, for each decision, the operator with the earliest modelled end of the map phase among
 * those whose modelled slowdown of the phase is within the bound; of equally good ones the one that
 * disturbs least. A bound of 0 is FullDelay, exactly. So is an application whose length alone is
 * not known yet: its first phases are protected, or nothing could be learned about it. And so is a
 * rate in gaps that is not known yet: then no operator's end can be told from another's.
 *
 * @param hold what FullDelay does
 * @param bound {@code eley.operator.max-slowdown}, a fraction
 * @param mostFetchers see {@link ScaleUp}
 */
public record Chooser(FullDelay hold, double bound, int mostFetchers) implements Operator {
  /**
   * How much sooner a more intrusive operator must end the map phase, as a part of the time left.
   */
  private static final double WORTH = 0.01;

  /** An operator, and this deployment's rate within phases under it. */
  private record Candidate(Operator operator, double rate) {}

  @Override
  public String label() {
    return "chooser";
  }

  @Override
  public Decision decide(Conditions conditions) {
    if (bound <= 0) {
      return hold.decide(conditions);
    }
    if (!conditions.inPhase()) {
      return new ScaleUp(hold, mostFetchers).decide(conditions);
    }
    boolean known = conditions.outlook().performance().openRate() > 0;
    if (!known || !conditions.open().stream().allMatch(Conditions.Activity::aloneKnown)) {
      return hold.decide(conditions);
    }
    return within(conditions);
  }

  private Decision within(Conditions conditions) {
    Outlook outlook = conditions.outlook();
    var partial = new PartialDelay(hold, bound);
    var fewer = new ScaleDown(hold, bound);
    int ofNode = fewer.fetchers(conditions) / outlook.sharers();
    double ofFewer = ofNode * outlook.nodes() * ScaleDown.rateOfOne(outlook);
    double open = outlook.ownOpenRate();
    // From the least intrusive to the most.
    var candidates =
        List.of(
            new Candidate(fewer, ofFewer),
            new Candidate(partial, partial.rate(conditions)),
            new Candidate(new NoAction(), open));
    var best = new Candidate(hold, 0);
    double bestSeconds = outlook.mapSeconds(0, open);
    for (Candidate each : candidates) {
      double seconds = outlook.mapSeconds(each.rate, open);
      double ofAll = each.rate * outlook.sharers();
      boolean allowed = each.rate > 0 && slowdown(conditions, ofAll) <= bound;
      if (allowed && seconds < bestSeconds * (1 - WORTH)) {
        best = each;
        bestSeconds = seconds;
      }
    }
    Decision taken = best.operator.decide(conditions);
    return new Decision(
        taken.operator(), taken.prefetch(), taken.demand(), "chosen: " + why(taken, best));
  }

  private String why(Decision taken, Candidate best) {
    return best.operator instanceof NoAction
        ? String.format(
            Locale.ROOT,
            "no action, since even our whole rate is within the bound of %+.1f %%",
            100 * bound)
        : taken.reason();
  }

  /** The modelled slowdown, with the margin for the model's error that the rates are found with. */
  private double slowdown(Conditions conditions, double rate) {
    var model = conditions.outlook().interference();
    return model.slowdown(conditions.foreignBytesPerSecond(), rate)
        + Math.min(model.error(), bound / 2) * 0.999;
  }
}
