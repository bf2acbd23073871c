package io.eley.workloads;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A process we started, and its log file. It is ended by its handle, with whatever it started
 * itself: TERM first, so that shutdown hooks run, then KILL.
 *
 * <p>For one thread, except {@link #close}, which any thread may call.
 */
public final class LoggedProcess implements AutoCloseable {
  private static final Duration GRACE = Duration.ofSeconds(5);
  private static final int TAIL_LINES = 15;

  private final String name;
  private final Process process;
  private final Path log;

  private LoggedProcess(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
  }

  /**
   * Starts a process whose output, errors included, goes to a file.
   *
   * @param name for messages
   * @param environment added to ours
   */
  public static LoggedProcess start(
      String name, List<String> command, Map<String, String> environment, Path log)
      throws IOException {
    return start(name, builder(command, environment).redirectErrorStream(true), log, log);
  }

  /** Starts a process whose output we read through {@link #process}; its errors go to a file. */
  public static LoggedProcess startPiped(
      String name, List<String> command, Map<String, String> environment, Path log)
      throws IOException {
    return start(name, builder(command, environment).redirectError(log.toFile()), log, null);
  }

  private static LoggedProcess start(
      String name, ProcessBuilder builder, Path log, @Nullable Path output) throws IOException {
    if (output != null) {
      builder.redirectOutput(output.toFile());
    }
    Process process = builder.start();
    process.getOutputStream().close();
    return new LoggedProcess(name, process, log);
  }

  private static ProcessBuilder builder(List<String> command, Map<String, String> environment) {
    var builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    // Somebody's own Spark settings must not leak into ours.
    builder.environment().keySet().removeAll(List.of("SPARK_CONF_DIR", "SPARK_DAEMON_JAVA_OPTS"));
    return builder;
  }

  public Process process() {
    return process;
  }

  public boolean alive() {
    return process.isAlive();
  }

  /** The first match in the log so far, or null. */
  @Nullable Matcher find(Pattern pattern) throws IOException {
    for (String line : lines()) {
      var matcher = pattern.matcher(line);
      if (matcher.find()) {
        return matcher;
      }
    }
    return null;
  }

  /** Name, log file and its last lines without stack frames, for an error message. */
  public String lastWords() {
    try {
      var lines = lines().stream().filter(line -> !line.startsWith("\tat ")).toList();
      return name
          + ", see "
          + log
          + ":\n  "
          + String.join(
              "\n  ", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    } catch (IOException e) {
      return name + ", see " + log;
    }
  }

  /** Ends the process and its descendants. Blocks for at most a few seconds. May be repeated. */
  @Override
  public void close() {
    // Remembered before TERM: the children of a dead process are nobody's descendants.
    var family = new ArrayList<ProcessHandle>(process.descendants().toList());
    family.add(process.toHandle());
    process.destroy();
    if (!awaitExit(process.onExit(), GRACE)) {
      process.destroyForcibly();
    }
    for (var member : family) {
      if (member.isAlive()) {
        member.destroy();
      }
      if (!awaitExit(member.onExit(), GRACE)) {
        member.destroyForcibly();
        awaitExit(member.onExit(), GRACE);
      }
    }
  }

  private static boolean awaitExit(CompletableFuture<?> exit, Duration time) {
    try {
      exit.get(time.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (TimeoutException | java.util.concurrent.ExecutionException e) {
      return false;
    }
  }

  private List<String> lines() throws IOException {
    // Not readAllLines: a line that is being written may end in half a character.
    return Files.exists(log)
        ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8).lines().toList()
        : List.of();
  }
}
