package io.eley.experiments;

import io.eley.report.RunRecord;

/**
 * When a run lost the node that it is to lose. A run that lost none, or lost it when Spark had read
 * everything, would show that a loss costs nothing. Noted on an HPC application's thread, asked on
 * the run's.
 */
final class NodeLoss {
  private static final long NEVER = Long.MAX_VALUE;

  private volatile long lostMillis = NEVER;

  /** Notes that a node that ran was killed. */
  void happened(long epochMillis) {
    lostMillis = epochMillis;
  }

  /** Whether it was lost before the map phase was over. */
  boolean duringMap(RunRecord run) {
    return lostMillis != NEVER
        && run.timeline().map().stream()
            .anyMatch(map -> lostMillis <= run.timeline().zeroEpochMillis() + 1000 * map.end());
  }
}
