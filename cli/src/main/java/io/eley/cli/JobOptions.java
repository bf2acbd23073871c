package io.eley.cli;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.Origins;
import io.eley.coordinator.config.CoordinatorKeys;
import io.eley.ior.SizeConverter;
import io.eley.scheduler.hooks.job.JobScript;
import io.eley.scheduler.hooks.job.JobScript.Blocks;
import io.eley.scheduler.hooks.job.SlurmRequest;
import io.eley.scheduler.hooks.job.SparkHome;
import io.eley.scheduler.hooks.job.SparkShare;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How large a job of {@code eley sbatch} is, and where things are. */
final class JobOptions {
  /** Of hosts, and of a host's cores. */
  private static final int MOST = 10_000;

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
        description =
            "RAM of each buffer node for blocks; with --engine alluxio what is ours in each of its"
                + " workers (default: ${DEFAULT-VALUE})")
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
        description = "heaps of each worker's executors together (default: ${DEFAULT-VALUE})")
    private DataSize sparkMemory = DataSize.ofMebibytes(4096);

    @Option(
        names = "--colocate",
        description = "put the buffer nodes on the Spark nodes instead of hosts of their own")
    private boolean colocate;

    /** What is said of nodes, and what goes with nodes of our own alone. */
    EngineOptions.Nodes nodes() {
      return new EngineOptions.Nodes(
          bufferMemory, "--buffer-memory", List.of("--buffer-nodes", "--colocate"));
    }

    /** Refuses numbers that no job has, before anybody is asked anything. */
    void require() {
      Numbers.require("--buffer-nodes", bufferNodes, 1, MOST);
      Numbers.require("--spark-nodes", sparkNodes, 1, MOST);
      Numbers.require("--spark-cores", sparkCores, 1, MOST);
    }

    /**
     * The sizes.
     *
     * @param workers of an Alluxio that has the blocks
     */
    JobScript.Sizes sizes(Optional<Integer> workers) {
      Blocks own = colocate ? Blocks.ON_SPARKS_HOSTS : Blocks.ON_HOSTS_OF_THEIR_OWN;
      return new JobScript.Sizes(
          workers.orElse(bufferNodes),
          bufferMemory,
          sparkNodes,
          sparkCores,
          sparkMemory,
          workers.isPresent() ? Blocks.IN_ALLUXIO : own);
    }
  }

  /** How Spark uses its hosts. */
  static final class Spark {
    @Option(
        names = "--driver-memory",
        paramLabel = "SIZE",
        defaultValue = "1g",
        converter = SizeConverter.class,
        description = "heap of the driver (default: ${DEFAULT-VALUE})")
    private DataSize driverMemory = DataSize.ofMebibytes(1024);

    @Option(
        names = "--executor-cores",
        paramLabel = "N",
        defaultValue = "0",
        description =
            "cores of an executor; its memory is their share of the worker's (default: all of them)")
    private int executorCores;

    @Option(
        names = "--applications",
        paramLabel = "N",
        defaultValue = "1",
        description = "how many your command runs side by side (default: ${DEFAULT-VALUE})")
    private int applications;

    @Option(
        names = "--spill-memory",
        paramLabel = "SIZE",
        defaultValue = "0",
        converter = SizeConverter.class,
        description = {
          "RAM that Slurm is asked for on each Spark node for what executors and driver spill, where",
          "--spill-dir is in RAM (default: ${DEFAULT-VALUE}, for a disk)"
        })
    private DataSize spillMemory = new DataSize(0);

    SparkShare share() {
      return new SparkShare(driverMemory, executorCores, applications, spillMemory);
    }
  }

  /** What Slurm is asked for. */
  static final class Slurm {
    @Option(
        names = {"-S", "--slurm"},
        paramLabel = "OPTION",
        description = "an option for Slurm, for both components, such as --time=1:00:00")
    private List<String> both = new ArrayList<>();

    @Option(
        names = "--spark-slurm",
        paramLabel = "OPTION",
        description = "one for Spark's component alone, such as --partition=batch")
    private List<String> spark = new ArrayList<>();

    @Option(
        names = "--buffer-slurm",
        paramLabel = "OPTION",
        description =
            "one for the buffer's component alone, such as --constraint=bigmem; not with --colocate")
    private List<String> buffer = new ArrayList<>();

    @Option(
        names = "--requeue",
        description =
            "begin again after preemption or the loss of a host (default: end); from Slurm 25.11 on"
                + " after the loss of a host only with --colocate")
    private boolean requeue;

    SlurmRequest request() {
      return new SlurmRequest(both, spark, buffer, requeue);
    }
  }

  /** Where things are, on all hosts. */
  static final class Places {
    @Option(
        names = "--origin",
        required = true,
        paramLabel = "DIR",
        converter = Typed.OriginConverter.class,
        description =
            "where the data lives: a directory that is mounted on all hosts that take part; or"
                + " hdfs://... or s3a://bucket/..., through Hadoop's clients")
    private String origin = "";

    @Mixin private OriginClassPathOption originClasses = new OriginClassPathOption();

    @Mixin private JobsOption jobs = new JobsOption();

    @Option(
        names = "--spark-home",
        paramLabel = "DIR",
        description = "Spark on all nodes (default: $SPARK_HOME)")
    private @Nullable Path sparkHome;

    @Mixin private RamDiskOption ramDisk = new RamDiskOption();

    @Option(
        names = "--spill-dir",
        paramLabel = "DIR",
        description =
            "where executors and driver spill, on each host (default: $SLURM_TMPDIR, or /tmp)")
    private @Nullable Path spills;

    @Option(
        names = "--network",
        paramLabel = "NETWORK",
        description = {
          "interface (ib0) or network (10.1.0.0/16) of all connections, Spark's too",
          "(default: that of the hosts' names)"
        })
    private @Nullable String network;

    /** Adds what an origin needs that is no mount; what is there stays. */
    void putInto(Map<String, String> settings, Path spark) {
      originClasses.putInto(settings, origin, Optional.of(spark), System.getenv());
      if (!Origins.onOwnClassPath(origin)) {
        DataSize blockSize = Settings.of(settings).get(CoordinatorKeys.BLOCK_SIZE);
        settings.putIfAbsent(
            CoordinatorKeys.CHUNK_SIZE.name(),
            OriginClassPathOption.chunkSize(origin, blockSize).toString());
      }
    }

    JobScript.Places places() throws EleyException {
      Map<String, String> environment = System.getenv();
      return new JobScript.Places(
          Layout.find().launcher(),
          origin,
          jobs.directory(environment),
          SparkHome.find(sparkHome, environment),
          ramDisk.directory,
          Optional.ofNullable(spills),
          Optional.ofNullable(network));
    }
  }
}
