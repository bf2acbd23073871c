package io.eley.laboratory;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.DeploymentReport;
import java.nio.file.Path;

/** A running deployment. Its methods may be called from any thread. */
public interface Deployment extends AutoCloseable {
  /** What clients get as {@code eley.deployment}: secret and coordinator address are in it. */
  Path directory();

  /**
   * What {@code eley status} shows. Blocks for a round trip.
   *
   * @throws EleyException {@code UNAVAILABLE} or {@code DEADLINE} when the coordinator is gone
   */
  DeploymentReport report() throws EleyException;

  /** Ends its processes and deletes the nodes' blocks. May be repeated; does not throw. */
  @Override
  void close();
}
