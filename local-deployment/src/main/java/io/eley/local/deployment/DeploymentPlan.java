package io.eley.local.deployment;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.DataSize;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What to start.
 *
 * @param origin address of the origin
 * @param nodes 1 to 64
 * @param memory RAM budget of each node
 * @param mode the system to run
 * @param geometry how files are cut
 * @param ramDisk where each node makes its private directory
 * @param host interface, network or address to listen on; its address is what others are told
 * @param port of the coordinator; 0 takes a free one
 * @param settings further configuration keys, for all processes
 * @param engineNodes keys of each node alone, as many as nodes, when their blocks are in another
 *     engine; empty when they are in our own nodes' RAM
 */
public record DeploymentPlan(
    String origin,
    int nodes,
    DataSize memory,
    BufferMode mode,
    BlockGeometry geometry,
    Path ramDisk,
    String host,
    int port,
    Map<String, String> settings,
    List<Map<String, String>> engineNodes) {
  /** Of nodes of our own. */
  public DeploymentPlan(
      String origin,
      int nodes,
      DataSize memory,
      BufferMode mode,
      BlockGeometry geometry,
      Path ramDisk,
      String host,
      int port,
      Map<String, String> settings) {
    this(origin, nodes, memory, mode, geometry, ramDisk, host, port, settings, List.of());
  }

  public DeploymentPlan {
    if (nodes < 1 || nodes > 64) {
      throw new IllegalArgumentException("--nodes must be 1 to 64: " + nodes);
    }
    if (port < 0 || port > 65535) {
      throw new IllegalArgumentException("--port must be 0 to 65535: " + port);
    }
    settings = Map.copyOf(settings);
    engineNodes = engineNodes.stream().map(Map::copyOf).toList();
    if (!engineNodes.isEmpty() && engineNodes.size() != nodes) {
      throw new IllegalArgumentException(nodes + " nodes, and keys of " + engineNodes.size());
    }
    for (String key : settings.keySet()) {
      if (!key.startsWith("eley.")) {
        throw new IllegalArgumentException(
            "not a configuration key of Eley: " + key + " (see `eley config`)");
      }
    }
  }
}
