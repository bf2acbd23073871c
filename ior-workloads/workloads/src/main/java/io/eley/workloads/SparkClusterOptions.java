package io.eley.workloads;

import io.eley.bb.api.config.DataSize;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster is to be.
 *
 * @param home the Spark
 * @param directory for logs, work directories and the cluster's secret; made with mode 0700
 * @param localDirectory where shuffle files go, for example on a RAM-disk; null for below {@code
 *     directory}
 * @param workers hosts, one or more: 127.0.0.2 and on
 * @param slots the cores of a worker: how many tasks run there at once
 * @param executorMemory heap of the one executor per worker and application
 * @param hosts what its processes enter before they start
 */
public record SparkClusterOptions(
    LinkedSparkHome home,
    Path directory,
    @Nullable Path localDirectory,
    int workers,
    int slots,
    DataSize executorMemory,
    HostCommands hosts) {
  /** Spark refuses executors below this (its reserved memory is 300 MB, times 1.5). */
  private static final DataSize LEAST_MEMORY = DataSize.ofMebibytes(471);

  /** How long the processes may take to find each other. */
  static final Duration READY_DEADLINE = Duration.ofSeconds(90);

  public SparkClusterOptions {
    if (workers < 1 || workers > 200 || slots < 1) {
      throw new IllegalArgumentException("1 to 200 workers with one slot or more");
    }
    if (executorMemory.compareTo(LEAST_MEMORY) < 0) {
      throw new IllegalArgumentException("an executor needs " + LEAST_MEMORY + " or more");
    }
  }

  /** Of processes that see the machine as it is. */
  public SparkClusterOptions(
      LinkedSparkHome home,
      Path directory,
      @Nullable Path localDirectory,
      int workers,
      int slots,
      DataSize executorMemory) {
    this(home, directory, localDirectory, workers, slots, executorMemory, HostCommands.NONE);
  }

  /** The same, with processes that enter something before they start. */
  public SparkClusterOptions withHosts(HostCommands others) {
    return new SparkClusterOptions(
        home, directory, localDirectory, workers, slots, executorMemory, others);
  }

  /** The same cluster once more, with files elsewhere. */
  public SparkClusterOptions withDirectories(Path other, Path otherLocal) {
    return new SparkClusterOptions(home, other, otherLocal, workers, slots, executorMemory, hosts);
  }

  /** Two workers of two slots, 768 MiB each: for a small machine. */
  public static SparkClusterOptions small(LinkedSparkHome home, Path directory) {
    return new SparkClusterOptions(home, directory, null, 2, 2, DataSize.ofMebibytes(768));
  }
}
