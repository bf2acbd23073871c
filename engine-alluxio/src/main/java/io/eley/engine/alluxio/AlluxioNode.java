package io.eley.engine.alluxio;

import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.server.node.EngineNode;
import io.eley.bb.server.node.NodeOptions;

/** A node's process whose blocks are in an Alluxio worker. */
public final class AlluxioNode {
  private AlluxioNode() {}

  /** Whether these settings are of such a node. */
  public static boolean isMeant(Settings settings) {
    return !settings.get(AlluxioKeys.MASTER).isEmpty();
  }

  /**
   * Starts it, with {@link AlluxioKeys} and what every node has; its memory is what its blocks may
   * take in the worker. Blocks until it has joined.
   *
   * @throws EleyException in one line; nothing is left running
   */
  public static EngineNode start(Settings settings) throws EleyException {
    return EngineNode.start(
        NodeOptions.from(settings), AlluxioEngine.connect(AlluxioEngine.Options.from(settings)));
  }
}
