package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.server.node.NodeOptions;
import io.eley.bb.server.node.NodeServer;
import io.eley.engine.alluxio.AlluxioNode;
import io.eley.local.deployment.Daemon;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code eley node}: one process of a deployment, for {@code eley start} and for schedulers'
 * scripts.
 */
@Command(
    name = "node",
    mixinStandardHelpOptions = true,
    description = "Runs a node in this process (started by `eley start`).")
final class NodeCommand implements Callable<Integer> {
  @Option(
      names = {"-D", "--set"},
      paramLabel = "KEY=VALUE",
      description = "configuration, see `eley config`")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Override
  public Integer call() throws EleyException {
    return Daemon.run(
        settings, s -> AlluxioNode.isMeant(s) ? AlluxioNode.start(s) : start(NodeOptions.from(s)));
  }

  private static NodeServer start(NodeOptions options) throws EleyException {
    var node = NodeServer.start(options);
    var unused = node.forsaken().thenRun(() -> System.exit(1));
    return node;
  }
}
