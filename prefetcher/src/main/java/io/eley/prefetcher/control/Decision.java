package io.eley.prefetcher.control;

import io.eley.bb.api.Permit;
import io.eley.bb.api.Permit.Lane;
import java.time.Duration;

/**
 * What nodes may do until the next decision; the same for all of them.
 *
 * @param operator label of the operator that decided
 * @param prefetch for fetches nobody waits for
 * @param demand for fetches a task waits for
 * @param reason in a few words
 */
public record Decision(String operator, Lane prefetch, Lane demand, String reason) {
  /** Whether prefetching is held. */
  public boolean held() {
    return prefetch.closed();
  }

  Permit permit(long sequence, Duration timeToLive) {
    return new Permit(sequence, prefetch, demand, timeToLive, reason);
  }
}
