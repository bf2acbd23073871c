package io.eley.system.origin;

import io.eley.ior.IorOutputParser;
import io.eley.ior.IorResult;
import io.eley.system.pfs.Testbed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * An HPC application that writes as CM1 does: computes for some seconds, and then each process
 * writes a file of its own; every output step has files of its own. The real IOR under mpirun, its
 * processes on two hosts' mounts of the parallel file system. On a thread of its own.
 */
final class StepWriters implements AutoCloseable {
  private static final int MIB = 1 << 20;

  /** Tells a deployment of a phase, or nobody. */
  interface Notices extends AutoCloseable {
    void begin() throws Exception;

    void end() throws Exception;

    @Override
    void close();
  }

  /** Nobody is told. */
  static final Notices UNTOLD =
      new Notices() {
        @Override
        public void begin() {}

        @Override
        public void end() {}

        @Override
        public void close() {}
      };

  /**
   * What they write.
   *
   * @param processes of IOR, a file each in a step
   * @param mebibytes of a file
   * @param steps how many; without an end when zero
   * @param computing before each step
   */
  record Shape(int processes, int mebibytes, int steps, Duration computing) {}

  private final Testbed testbed;
  private final Shape shape;
  private final String directory;
  private final Notices notices;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private final List<Double> seconds = new ArrayList<>();
  private final Thread thread = new Thread(this::run, "step-writers");

  /**
   * Begins to compute.
   *
   * @param directory of the steps, relative to a mount
   */
  StepWriters(Testbed testbed, Shape shape, String directory, Notices notices) {
    this.testbed = testbed;
    this.shape = shape;
    this.directory = directory;
    this.notices = notices;
    thread.start();
  }

  private void run() {
    try {
      for (int step = 1; shape.steps() == 0 || step <= shape.steps(); step++) {
        if (stopped.await(shape.computing().toMillis(), TimeUnit.MILLISECONDS)) {
          break;
        }
        write(step);
      }
      end.complete(null);
    } catch (Exception | AssertionError e) {
      end.completeExceptionally(e);
    }
  }

  private void write(int step) throws Exception {
    String own = directory + "/step-" + step;
    Files.createDirectories(testbed.mount("a").resolve(own));
    var targets =
        IntStream.range(0, shape.processes())
            .mapToObj(i -> testbed.mount(i % 2 == 0 ? "a" : "b").resolve(own + "/cm1") + "")
            .toList();
    var command =
        new ArrayList<>(
            List.of("mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "btl"));
    command.addAll(List.of("self,vader", "--mca", "pml", "ob1"));
    command.addAll(List.of("-n", Integer.toString(shape.processes()), "ior", "-a", "POSIX"));
    command.addAll(List.of("-w", "-F", "-k", "-t", "1m", "-b", shape.mebibytes() + "m", "-vvv"));
    command.addAll(List.of("-o", String.join("@", targets)));
    notices.begin();
    String output;
    try {
      output = testbed.run(command);
    } finally {
      notices.end();
    }
    Files.writeString(testbed.mount("a").resolve(own + "/_done"), "");
    IorResult.Interval interval = IorOutputParser.parse(output).intervals().get(0);
    synchronized (this) {
      seconds.add((interval.endMicros() - interval.beginMicros()) / 1e6);
    }
  }

  /** Seconds of each phase so far: from the first process's opening to the last one's closing. */
  synchronized List<Double> seconds() {
    return List.copyOf(seconds);
  }

  /** Waits until all steps are written; fails as they did. */
  void await() throws Exception {
    end.get(10, TimeUnit.MINUTES);
  }

  /** The CRC32s of a step's files, sorted, as a mount has them. */
  List<String> sums(int step) throws IOException {
    Path own = testbed.mount("b").resolve(directory + "/step-" + step);
    try (Stream<Path> files = Files.list(own)) {
      return files
          .filter(file -> !file.getFileName().toString().startsWith("_"))
          .map(StepWriters::sum)
          .sorted(Comparator.naturalOrder())
          .toList();
    }
  }

  private static String sum(Path file) {
    try (var in = Files.newInputStream(file)) {
      var crc = new CRC32();
      byte[] piece = new byte[MIB];
      for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
        crc.update(piece, 0, n);
      }
      return String.format(Locale.ROOT, "%08x", crc.getValue());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes no further step; waits for the one that is being written. */
  void stop() {
    stopped.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    stop();
    notices.close();
  }
}
