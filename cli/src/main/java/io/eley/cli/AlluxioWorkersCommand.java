package io.eley.cli;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.coordinator.config.CoordinatorKeys;
import io.eley.engine.alluxio.AlluxioCheck;
import io.eley.engine.alluxio.AlluxioKeys;
import io.eley.ior.SizeConverter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code eley alluxio-workers}: for job scripts, what an Alluxio has at this moment, as keys with
 * values: its block size, then a line for each worker.
 */
@Command(
    name = "alluxio-workers",
    mixinStandardHelpOptions = true,
    description = "Prints an Alluxio's block size and its workers as settings; for job scripts.")
final class AlluxioWorkersCommand implements Callable<Integer> {
  @Option(
      names = "--origin",
      required = true,
      paramLabel = "DIR",
      description = "where the data lives; Alluxio has mounted it")
  private String origin = "";

  @Option(
      names = "--buffer-memory",
      required = true,
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description = "what is to be ours in each worker")
  private DataSize memory = new DataSize(0);

  @Option(
      names = {"-D", "--set"},
      paramLabel = "KEY=VALUE",
      description = "configuration: eley.alluxio.master and eley.alluxio.client")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    var out = spec.commandLine().getOut();
    var known = Settings.of(AllKeys.today(settings, spec.commandLine().getErr()::println));
    if (known.get(AlluxioKeys.MASTER).isEmpty()) {
      throw new IllegalArgumentException(AlluxioKeys.MASTER.name() + " is not set");
    }
    AlluxioCheck.Found found = EngineOptions.look(origin, memory, "--buffer-memory", known);
    out.println(CoordinatorKeys.BLOCK_SIZE.name() + "=" + found.blockSize());
    found
        .workers()
        .forEach(worker -> out.println(AlluxioKeys.WORKER.name() + "=" + worker.address()));
    out.flush();
    return 0;
  }
}
