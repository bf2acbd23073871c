package io.eley.workloads;

import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * What all workloads take: {@code INPUT-URI OUTPUT-URI PARTITIONS [--partition-bytes=N]
 * [--warm-up-input=URI] [--compute=MILLIS]}.
 *
 * @param input directory or file, any Hadoop file system
 * @param output directory that does not exist yet
 * @param partitions of the result
 * @param partitionBytes what one task of the map phase reads, in bytes
 * @param warmUpInput text that is read and worked through before the clock starts, by the path the
 *     input takes; null reads nothing
 * @param computeMillis waited for each MiB of the map phase's input, besides its own computing: it
 *     stands for computing on processors that this machine does not have
 */
record WorkloadArguments(
    String input,
    String output,
    int partitions,
    long partitionBytes,
    @Nullable String warmUpInput,
    int computeMillis) {
  private static final String PARTITION_BYTES = "--partition-bytes=";
  private static final String WARM_UP_INPUT = "--warm-up-input=";
  private static final String COMPUTE = "--compute=";
  private static final long DEFAULT_PARTITION_BYTES = 64L << 20;

  WorkloadArguments {
    if (partitions < 1 || partitionBytes < 1 || computeMillis < 0) {
      throw new IllegalArgumentException(
          "partitions and their bytes must be positive, computing at least 0");
    }
  }

  static WorkloadArguments parse(String... args) {
    var positional = new ArrayList<String>();
    long bytes = DEFAULT_PARTITION_BYTES;
    String warmUpInput = null;
    int compute = 0;
    for (String arg : args) {
      if (arg.startsWith(PARTITION_BYTES)) {
        bytes = Long.parseLong(arg.substring(PARTITION_BYTES.length()));
      } else if (arg.startsWith(WARM_UP_INPUT)) {
        warmUpInput = arg.substring(WARM_UP_INPUT.length());
      } else if (arg.startsWith(COMPUTE)) {
        compute = Integer.parseInt(arg.substring(COMPUTE.length()));
      } else if (arg.startsWith("--")) {
        throw new IllegalArgumentException("unknown option " + arg);
      } else {
        positional.add(arg);
      }
    }
    if (positional.size() != 3) {
      throw new IllegalArgumentException(
          "usage: INPUT-URI OUTPUT-URI PARTITIONS"
              + " [--partition-bytes=N] [--warm-up-input=URI] [--compute=MILLIS]");
    }
    return new WorkloadArguments(
        positional.get(0),
        positional.get(1),
        Integer.parseInt(positional.get(2)),
        bytes,
        warmUpInput,
        compute);
  }
}
