package io.eley.scheduler.hooks.job;

import io.eley.bb.api.config.DataSize;
import io.eley.scheduler.hooks.job.JobScript.Sizes;

/**
 * How Spark uses the cores and the memory of its hosts. What a JVM needs beside its heap follows
 * Spark's own rule: a tenth of the heap, at least {@value #LEAST_OVERHEAD_MEBIBYTES} MiB.
 *
 * @param driverMemory heap of the driver
 * @param executorCores cores of each executor; 0 makes one executor of a host for each application
 * @param applications how many are to run side by side
 * @param spillMemory RAM of a host for what they spill, where that goes to RAM
 */
public record SparkShare(
    DataSize driverMemory, int executorCores, int applications, DataSize spillMemory) {
  private static final int LEAST_OVERHEAD_MEBIBYTES = 384;
  private static final int MEBIBYTE = 20;

  /** Of hosts with disks to spill to. */
  public SparkShare(DataSize driverMemory, int executorCores, int applications) {
    this(driverMemory, executorCores, applications, new DataSize(0));
  }

  public SparkShare {
    if (executorCores < 0 || applications < 1) {
      throw new IllegalArgumentException(
          "executors have at least one core, and one application runs at least");
    }
  }

  void requireFits(Sizes sizes) {
    if (executorCores > sizes.sparkCores()) {
      throw new IllegalArgumentException(
          "--executor-cores=" + executorCores + " of --spark-cores=" + sizes.sparkCores());
    }
    if (applications > executors(sizes)) {
      throw new IllegalArgumentException(
          applications
              + " applications side by side need as many executors a host: --spark-cores and"
              + " --executor-cores make "
              + executors(sizes));
    }
  }

  int coresOfAnExecutor(Sizes sizes) {
    return executorCores > 0 ? executorCores : Math.max(1, sizes.sparkCores() / applications);
  }

  /** Of one host, for all applications. */
  private int executors(Sizes sizes) {
    return sizes.sparkCores() / coresOfAnExecutor(sizes);
  }

  long mebibytesOfAnExecutor(Sizes sizes) {
    return (sizes.sparkMemory().bytes() >> MEBIBYTE) / executors(sizes);
  }

  /** So that the first application leaves the others their share. */
  int coresOfAnApplication(Sizes sizes) {
    return sizes.sparkNodes() * (executors(sizes) / applications) * coresOfAnExecutor(sizes);
  }

  /** All that executors and drivers need of a host, with what they spill to its RAM. */
  long mebibytes(Sizes sizes) {
    return (spillMemory.bytes() >> MEBIBYTE)
        + (sizes.sparkMemory().bytes() >> MEBIBYTE)
        + executors(sizes) * beside(mebibytesOfAnExecutor(sizes))
        + applications * withOverhead(driverMemory.bytes() >> MEBIBYTE);
  }

  private static long withOverhead(long heap) {
    return heap + beside(heap);
  }

  private static long beside(long heap) {
    return Math.max(LEAST_OVERHEAD_MEBIBYTES, heap / 10);
  }
}
