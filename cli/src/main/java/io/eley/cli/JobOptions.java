package io.eley.cli;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.error.EleyException;
import io.eley.ior.SizeConverter;
import io.eley.scheduler.hooks.job.JobScript;
import io.eley.scheduler.hooks.job.SparkHome;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How large a job of {@code eley sbatch} is, and where things are. */
final class JobOptions {
  private JobOptions() {}

  /** How large its parts are. */
  static final class Sizes {
    @Option(
        names = "--buffer-nodes",
        paramLabel = "N",
        defaultValue = "2",
        description = "hosts that hold a buffer node each (default: ${DEFAULT-VALUE})")
    private int bufferNodes;

    @Option(
        names = "--buffer-memory",
        paramLabel = "SIZE",
        defaultValue = "4g",
        converter = SizeConverter.class,
        description = "RAM of each buffer node for blocks (default: ${DEFAULT-VALUE})")
    private DataSize bufferMemory = DataSize.ofMebibytes(4096);

    @Option(
        names = "--spark-nodes",
        paramLabel = "N",
        defaultValue = "2",
        description = "hosts with a Spark worker each (default: ${DEFAULT-VALUE})")
    private int sparkNodes;

    @Option(
        names = "--spark-cores",
        paramLabel = "N",
        defaultValue = "4",
        description = "cores of each worker (default: ${DEFAULT-VALUE})")
    private int sparkCores;

    @Option(
        names = "--spark-memory",
        paramLabel = "SIZE",
        defaultValue = "4g",
        converter = SizeConverter.class,
        description = "memory of each worker (default: ${DEFAULT-VALUE})")
    private DataSize sparkMemory = DataSize.ofMebibytes(4096);

    @Option(
        names = "--colocate",
        description = "put the buffer nodes on the Spark nodes instead of hosts of their own")
    private boolean colocate;

    JobScript.Sizes sizes() {
      return new JobScript.Sizes(
          bufferNodes, bufferMemory, sparkNodes, sparkCores, sparkMemory, colocate);
    }
  }

  /** Where things are, on all hosts. */
  static final class Places {
    @Option(
        names = "--origin",
        required = true,
        paramLabel = "DIR",
        description = "where the data lives, mounted on all nodes")
    private Path origin = Path.of("");

    @Mixin private JobsOption jobs = new JobsOption();

    @Option(
        names = "--spark-home",
        paramLabel = "DIR",
        description = "Spark on all nodes (default: $SPARK_HOME)")
    private @Nullable Path sparkHome;

    @Option(
        names = "--ram-disk",
        paramLabel = "DIR",
        defaultValue = "/dev/shm",
        description = "a file system in RAM on the buffer nodes (default: ${DEFAULT-VALUE})")
    private Path ramDisk = Path.of("/dev/shm");

    JobScript.Places places() throws EleyException {
      Map<String, String> environment = System.getenv();
      return new JobScript.Places(
          Layout.find().launcher(),
          origin.toAbsolutePath().normalize(),
          jobs.directory(environment),
          SparkHome.find(sparkHome, environment),
          ramDisk);
    }
  }
}
