package io.eley.ior;

import io.eley.api.config.DataSize;
import java.time.Duration;

/**
 * What is run, in IOR's words (ior(1), the user documentation of IOR 4.0).
 *
 * @param file {@code -o}: the test file; with {@link Access#filePerTask} each task adds its rank
 * @param access how tasks share files
 * @param transfer {@code -t}: bytes of one read or write
 * @param block {@code -b}: contiguous bytes of one task in one segment; a multiple of {@code
 *     transfer}
 * @param segments {@code -s}
 * @param tasks {@code -N}
 * @param repetitions {@code -i}
 * @param delay {@code -d}: pause before each phase, the first included
 * @param keep {@code -k}: leave the files
 */
record IorOptions(
    String file,
    Access access,
    DataSize transfer,
    DataSize block,
    int segments,
    int tasks,
    int repetitions,
    Duration delay,
    boolean keep) {

  IorOptions {
    if (transfer.bytes() < 1 || transfer.bytes() > 1 << 30) {
      throw new IllegalArgumentException("-t must be 1 to 1g: " + transfer);
    }
    if (block.bytes() < 1 || block.bytes() % transfer.bytes() != 0) {
      throw new IllegalArgumentException(
          "-b (" + block + ") must be a multiple of -t (" + transfer + ")");
    }
    atLeastOne("-s", segments);
    atLeastOne("-N", tasks);
    atLeastOne("-i", repetitions);
    if (delay.isNegative()) {
      throw new IllegalArgumentException("-d must be 0 or more: " + delay.toSeconds());
    }
    if (block.bytes() > Long.MAX_VALUE / segments / tasks) {
      throw new IllegalArgumentException(
          "-b (" + block + ") times -s times -N is more than a file can hold");
    }
  }

  /**
   * How the file is accessed.
   *
   * @param write {@code -w}
   * @param read {@code -r}
   * @param filePerTask {@code -F}
   * @param sync {@code -e}: fsync(2) after writing, inside the timed phase
   */
  record Access(boolean write, boolean read, boolean filePerTask, boolean sync) {}

  /** Bytes that one task moves in one phase. */
  long taskBytes() {
    return Math.multiplyExact(block.bytes(), segments);
  }

  /** Bytes that all tasks move in one phase. */
  long totalBytes() {
    return Math.multiplyExact(taskBytes(), tasks);
  }

  /** The file of a task: with {@code -F} its rank in eight digits, as IOR names it. */
  String fileOf(int rank) {
    return access.filePerTask() ? file + String.format(java.util.Locale.ROOT, ".%08d", rank) : file;
  }

  /** Where a task's segment begins in its file. */
  long offsetOf(int rank, int segment) {
    return access.filePerTask()
        ? segment * block.bytes()
        : (segment * (long) tasks + rank) * block.bytes();
  }

  private static void atLeastOne(String option, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(option + " must be 1 or more: " + value);
    }
  }
}
