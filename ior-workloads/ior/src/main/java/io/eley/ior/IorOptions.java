package io.eley.ior;

import io.eley.bb.api.config.DataSize;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What is run, in IOR's words (the user documentation of IOR 4.0).
 *
 * @param file {@code -o}: the test file; with {@link Access#filePerTask} each task adds its rank
 * @param access how tasks use the files
 * @param shape how much
 * @param pacing when
 * @param keep {@code -k}: leave the files
 * @param verbose number of {@code -v}
 */
record IorOptions(
    String file, Access access, Shape shape, Pacing pacing, boolean keep, int verbose) {
  private static final long LARGEST_TRANSFER = 1L << 30;

  IorOptions {
    if (file.isEmpty() || file.indexOf('@') >= 0) {
      throw new IllegalArgumentException("-o needs one file name, without '@': '" + file + "'");
    }
  }

  /**
   * How the files are used.
   *
   * @param write {@code -w}
   * @param read {@code -r}
   * @param filePerTask {@code -F}
   * @param sync {@code -e}: fsync(2) after writing, inside the timed phase
   * @param reorder {@code -C}: a task reads what the next one wrote
   */
  record Access(boolean write, boolean read, boolean filePerTask, boolean sync, boolean reorder) {}

  /**
   * How much is moved.
   *
   * @param transfer {@code -t}: bytes of one read or write
   * @param block {@code -b}: contiguous bytes of one task in one segment; a multiple of {@code
   *     transfer}
   * @param segments {@code -s}
   * @param tasks {@code -N}
   * @param repetitions {@code -i}
   */
  record Shape(DataSize transfer, DataSize block, int segments, int tasks, int repetitions) {
    Shape {
      if (transfer.bytes() < 1 || transfer.bytes() > LARGEST_TRANSFER) {
        throw new IllegalArgumentException("-t must be 1 to 1g: " + transfer);
      }
      if (block.bytes() < 1 || block.bytes() % transfer.bytes() != 0) {
        throw new IllegalArgumentException(
            "-b (" + block + ") must be a multiple of -t (" + transfer + ")");
      }
      requireAtLeast(1, "-s", segments);
      requireAtLeast(1, "-N", tasks);
      requireAtLeast(1, "-i", repetitions);
      try {
        long unused = Math.multiplyExact(Math.multiplyExact(block.bytes(), segments), (long) tasks);
      } catch (ArithmeticException e) {
        throw new IllegalArgumentException(
            "-b (" + block + ") times -s times -N is more than a file can hold", e);
      }
    }
  }

  /**
   * When things happen.
   *
   * @param delay {@code -d}: pause before each phase, the first included; seconds
   * @param stonewall {@code -D}: each task begins no transfer after so many seconds; 0 for never
   * @param barriers {@code -g}: all tasks wait for each other between open, transfer and close
   */
  record Pacing(int delay, int stonewall, boolean barriers) {
    Pacing {
      requireAtLeast(0, "-d", delay);
      requireAtLeast(0, "-D", stonewall);
    }

    Duration pause() {
      return Duration.ofSeconds(delay);
    }
  }

  /** One small phase of the same kind on a file of its own, without pause, that leaves nothing. */
  IorOptions warmUp(DataSize perTask) {
    long transfers = Math.max(1, perTask.bytes() / shape.transfer().bytes());
    var block = new DataSize(transfers * shape.transfer().bytes());
    return new IorOptions(
        file + ".warm-up",
        new Access(true, access.read(), access.filePerTask(), access.sync(), access.reorder()),
        new Shape(shape.transfer(), block, 1, shape.tasks(), 1),
        new Pacing(0, 0, pacing.barriers()),
        false,
        0);
  }

  /** Bytes that one task moves in one phase, when nothing stops it. */
  long taskBytes() {
    return shape.block().bytes() * shape.segments();
  }

  /** Bytes that all tasks move in one phase, when nothing stops them. */
  long totalBytes() {
    return taskBytes() * shape.tasks();
  }

  /** The file of a task: with {@code -F} its rank in eight digits, as IOR names it. */
  String fileOf(int rank) {
    return access.filePerTask() ? file + String.format(Locale.ROOT, ".%08d", rank) : file;
  }

  /** Whose data a task moves: its own, unless it reads with {@code -C}. */
  int ownerFor(int rank, IorOperation operation) {
    return operation == IorOperation.READ && access.reorder() ? (rank + 1) % shape.tasks() : rank;
  }

  /** Where a task's segment begins in its file. */
  long offsetOf(int rank, int segment) {
    long blocks = access.filePerTask() ? segment : segment * (long) shape.tasks() + rank;
    return blocks * shape.block().bytes();
  }

  /** These options under IOR's letters, without {@code -N} and what is about output. */
  List<String> letters() {
    var letters = new ArrayList<>(List.of("-a", "POSIX", "-o", file));
    letters.addAll(List.of("-b", shape.block().toString(), "-t", shape.transfer().toString()));
    letters.addAll(List.of("-s", "" + shape.segments(), "-i", "" + shape.repetitions()));
    letters.addAll(List.of("-d", "" + pacing.delay(), "-D", "" + pacing.stonewall()));
    addFlag(letters, access.write(), "-w");
    addFlag(letters, access.read(), "-r");
    addFlag(letters, access.filePerTask(), "-F");
    addFlag(letters, access.sync(), "-e");
    addFlag(letters, access.reorder(), "-C");
    addFlag(letters, pacing.barriers(), "-g");
    addFlag(letters, keep, "-k");
    addFlag(letters, verbose > 0, "-" + "v".repeat(verbose));
    return letters;
  }

  private static void addFlag(List<String> letters, boolean set, String letter) {
    if (set) {
      letters.add(letter);
    }
  }

  private static void requireAtLeast(int bound, String option, int value) {
    if (value < bound) {
      throw new IllegalArgumentException(option + " must be " + bound + " or more: " + value);
    }
  }
}
