package io.eley.prefetcher.control;

import io.eley.bb.api.Permit.Lane;

/** Prefetch with no regard for others: permits are always open. */
public record NoAction() implements Operator {
  @Override
  public String label() {
    return "no-action";
  }

  @Override
  public Decision decide(Conditions conditions) {
    return new Decision(
        label(), Lane.OPEN, Lane.OPEN, conditions.inPhase() ? "no action on phases" : "no phase");
  }
}
