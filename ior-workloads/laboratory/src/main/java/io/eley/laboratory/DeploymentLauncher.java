package io.eley.laboratory;

import io.eley.bb.api.error.EleyException;

/**
 * Starts deployments for experiments. The port to whoever composes processes: {@link LocalLauncher}
 * starts those of {@code eley start}.
 */
public interface DeploymentLauncher {
  /**
   * Starts a coordinator and nodes with empty buffers and waits until every node is registered.
   *
   * @throws EleyException in one line, when it does not come up; nothing is left running then
   */
  Deployment launch(DeploymentRequest request) throws EleyException;
}
