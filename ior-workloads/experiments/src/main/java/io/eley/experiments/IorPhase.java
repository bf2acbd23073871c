package io.eley.experiments;

import io.eley.ior.IorOutputParser;
import io.eley.ior.IorResult;
import io.eley.report.ObservedPhase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One run of the installed IOR: one phase. Its output stays as it is. Blocks; {@link #close} ends
 * it from any thread.
 */
final class IorPhase implements AutoCloseable {
  private static final int GRACE_SECONDS = 5;

  /**
   * Open MPI's words for more tasks than processors, and for root, who alone has mount namespaces;
   * other MPIs do not know them.
   */
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "OMPI_MCA_rmaps_base_oversubscribe", "1",
          "OMPI_ALLOW_RUN_AS_ROOT", "1",
          "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");

  private final List<String> command;
  private final Path output;
  private final Duration bound;
  private @Nullable Process process;
  private boolean closed;

  /**
   * Starts nothing yet.
   *
   * @param output for what it prints
   * @param bound after which it hangs, and is ended
   */
  IorPhase(List<String> command, Path output, Duration bound) {
    this.command = List.copyOf(command);
    this.output = output;
    this.bound = bound;
  }

  /**
   * Runs it: the time from the first task's opening to the last one's closing.
   *
   * @throws IOException when it fails, or its output has no times of day
   */
  ObservedPhase run(String application) throws IOException, InterruptedException {
    var started = start();
    if (!started.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)) {
      close();
      throw new IOException("IOR has not ended after " + bound.toMinutes() + " min");
    }
    if (started.exitValue() != 0) {
      throw new IOException("IOR ended with exit code " + started.exitValue() + ": " + lastLines());
    }
    var intervals = IorOutputParser.parse(output).intervals();
    if (intervals.size() != 1) {
      throw new IOException("IOR printed no times of day (-vvv): " + output);
    }
    IorResult.Interval i = intervals.get(0);
    return new ObservedPhase(application, i.beginMicros(), i.beginMicros(), i.endMicros());
  }

  private synchronized Process start() throws IOException {
    if (closed) {
      throw new IOException("ended before it began");
    }
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectInput(Path.of("/dev/null").toFile()).redirectOutput(output.toFile());
    builder.environment().putAll(ENVIRONMENT);
    process = builder.start();
    return process;
  }

  String lastLines() {
    try {
      var lines = Files.readAllLines(output);
      return String.join(" | ", lines.subList(Math.max(0, lines.size() - 6), lines.size()));
    } catch (IOException e) {
      return "see " + output;
    }
  }

  /** Ends it with its tasks. May be repeated. */
  @Override
  public synchronized void close() {
    closed = true;
    var running = process;
    if (running == null) {
      return;
    }
    var family = running.descendants().toList();
    running.destroy();
    try {
      if (!running.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
        running.destroyForcibly();
      }
    } catch (InterruptedException e) {
      running.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    family.forEach(ProcessHandle::destroyForcibly);
  }
}
