package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.coordinator.CoordinatorServer;
import io.eley.coordinator.config.CoordinatorOptions;
import io.eley.local.deployment.Daemon;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code eley coordinator}: one process of a deployment, for {@code eley start} and for schedulers'
 * scripts.
 */
@Command(
    name = "coordinator",
    mixinStandardHelpOptions = true,
    description = "Runs a coordinator in this process (started by `eley start`).")
final class CoordinatorCommand implements Callable<Integer> {
  @Option(
      names = {"-D", "--set"},
      paramLabel = "KEY=VALUE",
      description = "configuration, see `eley config`")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Override
  public Integer call() throws EleyException {
    return Daemon.run(settings, s -> CoordinatorServer.start(CoordinatorOptions.from(s)));
  }
}
