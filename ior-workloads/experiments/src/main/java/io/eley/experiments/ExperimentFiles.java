package io.eley.experiments;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.laboratory.WorkDirectory;
import io.eley.workloads.RandomTextWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleConsumer;

/**
 * The experiment's own directory on the file system: Spark's input, a small one to warm up with,
 * and what IOR writes. It is deleted with everything in it when closed.
 *
 * @param mounts of the file system
 * @param directory its name, relative to each mount
 */
record ExperimentFiles(HostMounts mounts, String directory) implements AutoCloseable {
  static final String INPUT = "input";
  static final String WARM_UP = "warm-up";
  private static final int FILES = 8;
  private static final int WARM_UP_WAVES = 2;

  /** Makes the directory. */
  static ExperimentFiles create(HostMounts mounts) throws EleyException {
    try {
      Path made = Files.createTempDirectory(mounts.of(0), "eley-experiment-");
      return new ExperimentFiles(mounts, made.getFileName().toString());
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.ACCESS_DENIED, "cannot make a directory in " + mounts.of(0) + ": " + e, e);
    }
  }

  /** Writes both inputs. Blocks for as long as the file system takes. */
  void write(Sizes sizes, long seed, DoubleConsumer progress) throws EleyException {
    long each = sizes.input().bytes() / FILES;
    var input = new RandomTextWriter.Plan(path(INPUT), FILES, each, seed);
    var warmUp =
        new RandomTextWriter.Plan(
            path(WARM_UP), Sizes.SLOTS, WARM_UP_WAVES * sizes.split().bytes(), seed + 1);
    var written = new AtomicLong();
    long total = input.totalBytes() + warmUp.totalBytes();
    try {
      for (var plan : new RandomTextWriter.Plan[] {warmUp, input}) {
        RandomTextWriter.write(
            plan, 2, bytes -> progress.accept((double) written.addAndGet(bytes) / total));
      }
    } catch (IOException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "cannot write the input: " + e, e);
    }
  }

  private Path path(String name) {
    return mounts.of(0).resolve(directory).resolve(name);
  }

  @Override
  public void close() {
    WorkDirectory.delete(mounts.of(0).resolve(directory));
  }
}
