package io.eley.ior;

import io.eley.bb.api.config.DataSize;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;

/**
 * A run with its surroundings: the checks before it, the signal that ends it, its files, its
 * listeners, its report.
 *
 * @param options what to run
 * @param target on what
 * @param commandLine as typed, for the report
 */
record IorJob(IorOptions options, IorTarget target, String commandLine) {
  /** Makes the tasks. */
  @FunctionalInterface
  interface Starter {
    IorTasks start(IorOptions options, IorTarget target) throws IOException;
  }

  /** Runs and reports. Blocks; closes the listeners. Files are removed whatever happens. */
  void run(Starter starter, Listeners listeners, SummaryOutput output, PrintWriter out)
      throws IOException {
    try (var stop = new StopSignal();
        listeners) {
      requirePlace();
      var began = ZonedDateTime.now(ZoneId.systemDefault());
      IorResult result = result(starter, listeners, stop);
      output.write(
          new IorRunRecord(
              options,
              commandLine,
              began,
              ZonedDateTime.now(ZoneId.systemDefault()),
              Machine.here(Path.of(options.file())),
              result),
          out);
    }
  }

  /**
   * Moves a little before the run, so that the first phase is not the one in which the JVM loads
   * and compiles. Not announced, not measured, not logged; its files are removed. Blocks.
   *
   * @param perTask bytes that each task writes
   */
  void warmUp(Starter starter, DataSize perTask) throws IOException {
    requirePlace();
    var warm = new IorJob(options.warmUp(perTask), target, "");
    try (var stop = new StopSignal();
        var nobody = new Listeners(List.of())) {
      var unused = warm.result(starter, nobody, stop);
    }
  }

  private IorResult result(Starter starter, Listeners listeners, StopSignal stop)
      throws IOException {
    try (var files = new TestFiles(options, target);
        IorTasks tasks = starter.start(options, target)) {
      stop.cancels(tasks);
      var surroundings = new IorRun.Surroundings(stop::pause, IorClock.system());
      return new IorRun(options, tasks, files, listeners.all(), surroundings).run();
    }
  }

  /** The file must be one that can be made, and not something else. */
  private void requirePlace() throws IOException {
    Path file = Path.of(options.file()).toAbsolutePath();
    Path parent = file.getParent();
    if (parent == null || !Files.isDirectory(parent)) {
      throw new IOException("no directory " + parent + " for the test file");
    }
    if (options.access().write() && !Files.isWritable(parent)) {
      throw new IOException("cannot write in the directory " + parent);
    }
    Path first = Path.of(options.fileOf(0));
    if (Files.exists(first) && !Files.isRegularFile(first)) {
      throw new IOException("the test file is not a file: " + first);
    }
  }
}
