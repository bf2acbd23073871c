package io.eley.ior;

import io.eley.ior.IorResult.Times;

/**
 * Is notified of a run's phases. Called on the run's thread, before the first open and after the
 * last close of a phase.
 */
interface IorPhaseListener extends AutoCloseable {
  void phaseBegins(IorOperation operation, int iteration);

  void phaseEnds(IorOperation operation, int iteration, long bytes, Times times);

  @Override
  void close();
}
