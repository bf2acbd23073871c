package io.eley.laboratory;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.DataSize;
import java.nio.file.Path;
import java.util.List;
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
 * @param engineNodes keys of each node alone when another engine holds blocks; empty for our own
 */
public record DeploymentRequest(
    BufferMode mode,
    String originAddress,
    int nodes,
    DataSize memory,
    BlockGeometry geometry,
    Path directory,
    Map<String, String> settings,
    List<Map<String, String>> engineNodes) {
  /** Of nodes of our own. */
  public DeploymentRequest(
      BufferMode mode,
      String originAddress,
      int nodes,
      DataSize memory,
      BlockGeometry geometry,
      Path directory,
      Map<String, String> settings) {
    this(mode, originAddress, nodes, memory, geometry, directory, settings, List.of());
  }

  public DeploymentRequest {
    if (nodes < 1) {
      throw new IllegalArgumentException("a deployment has one node or more");
    }
    settings = Map.copyOf(settings);
    engineNodes = List.copyOf(engineNodes);
  }

  /** The same with blocks in another engine. */
  public DeploymentRequest over(Map<String, String> all, List<Map<String, String>> ofNodes) {
    return new DeploymentRequest(
        mode, originAddress, nodes, memory, geometry, directory, all, ofNodes);
  }
}
