package io.eley.demo;

import io.eley.bb.api.error.EleyException;

/**
 * Starts deployments for experiments. The port to whoever composes processes; the {@code eley}
 * command implements it with the processes of {@code eley start}.
 */
public interface DeploymentLauncher {
  /**
   * Starts a coordinator and nodes with empty buffers and waits until every node is registered.
   *
   * @throws EleyException in one line, when it does not come up; nothing is left running then
   */
  Deployment launch(DeploymentRequest request) throws EleyException;
}
