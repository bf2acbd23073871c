package io.eley.local.deployment;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.server.node.NodeOptions;
import io.eley.bb.server.node.NodeServer;
import io.eley.coordinator.CoordinatorServer;
import io.eley.coordinator.config.CoordinatorOptions;
import java.util.HashMap;

/** Coordinator and node as the command line runs them, without the command line. */
final class RealProcesses {
  private RealProcesses() {}

  public static void main(String[] arguments) throws Exception {
    var settings = new HashMap<String, String>();
    for (int i = 1; i < arguments.length; i += 2) {
      int sign = arguments[i + 1].indexOf('=');
      settings.put(arguments[i + 1].substring(0, sign), arguments[i + 1].substring(sign + 1));
    }
    Daemon.run(
        settings,
        s ->
            arguments[0].equals("node")
                ? node(NodeOptions.from(s))
                : CoordinatorServer.start(CoordinatorOptions.from(s)));
  }

  private static NodeServer node(NodeOptions options) throws EleyException {
    var node = NodeServer.start(options);
    var unused = node.forsaken().thenRun(() -> System.exit(1));
    return node;
  }
}
