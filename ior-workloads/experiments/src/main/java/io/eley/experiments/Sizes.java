package io.eley.experiments;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.config.DataSize;
import java.time.Duration;

/**
 * How large everything on Spark's side is.
 *
 * @param input bytes of text
 * @param split bytes that a task reads
 * @param computeMillis that a task takes for each MiB besides its own computing, for the processors
 *     that the machine does not have
 * @param memory RAM of each node, for input and intermediate data; as in the paper all of both
 *     fits, unless an experiment says otherwise
 * @param wavesAhead how far the window reaches
 */
record Sizes(DataSize input, DataSize split, int computeMillis, DataSize memory, int wavesAhead) {
  static final int SLOTS_PER_WORKER = 2;
  static final int SLOTS = SLOTS_PER_WORKER * Hosts.WORKERS;
  private static final long SLOWEST_BYTES_PER_SECOND = 8 << 20;
  static final BlockGeometry GEOMETRY = new BlockGeometry(4 << 20, 1 << 20);

  /** 32 waves of four tasks; computes for about 40 s. */
  static final Sizes STANDARD =
      new Sizes(
          DataSize.ofMebibytes(1024), DataSize.ofMebibytes(8), 150, DataSize.ofMebibytes(768), 5);

  Sizes withInput(DataSize other) {
    return new Sizes(other, split, computeMillis, memory, wavesAhead);
  }

  Sizes withCompute(int millis) {
    return new Sizes(input, split, millis, memory, wavesAhead);
  }

  Sizes withMemory(DataSize other) {
    return new Sizes(input, split, computeMillis, other, wavesAhead);
  }

  /** The time for some bytes on the slowest file system that one measures. */
  static Duration slowly(long bytes) {
    return Duration.ofSeconds(bytes / SLOWEST_BYTES_PER_SECOND);
  }

  /** Reading all of the input there, and computing on it afterwards. */
  Duration slowest() {
    return slowly(input.bytes()).plusMillis(input.bytes() / (1 << 20) * computeMillis / SLOTS);
  }

  int waves() {
    long wave = split.bytes() * SLOTS;
    return Math.toIntExact((input.bytes() + wave - 1) / wave);
  }
}
