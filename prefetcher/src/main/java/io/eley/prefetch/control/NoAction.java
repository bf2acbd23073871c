package io.eley.prefetch.control;

import io.eley.api.Permit.Lane;

/** Prefetch with no regard for others: permits are always open. */
public record NoAction() implements Operator {
  @Override
  public Decision decide(Conditions conditions) {
    return new Decision(
        Lane.OPEN, Lane.OPEN, conditions.inPhase() ? "no action on phases" : "no phase");
  }
}
