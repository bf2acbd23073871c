package io.eley.laboratory;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.DataSize;
import java.nio.file.Path;
import java.util.Map;

/**
 * The deployment that a run needs.
 *
 * @param mode the system to run
 * @param originAddress as {@code --origin} takes it
 * @param nodes how many, one or more
 * @param memory RAM budget of each node
 * @param geometry of blocks and chunks
 * @param directory for the deployment directory and the nodes' blocks; exists, empty, on a RAM-disk
 *     where there is one
 * @param settings further configuration keys for coordinator and nodes
 */
public record DeploymentRequest(
    BufferMode mode,
    String originAddress,
    int nodes,
    DataSize memory,
    BlockGeometry geometry,
    Path directory,
    Map<String, String> settings) {
  public DeploymentRequest {
    if (nodes < 1) {
      throw new IllegalArgumentException("a deployment has one node or more");
    }
    settings = Map.copyOf(settings);
  }
}
