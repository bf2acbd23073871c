package io.eley.ior;

import io.eley.bb.api.process.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * One task as a process, seen from the run. For the run's thread, except {@link #destroy}.
 *
 * @param rank the task
 * @param process the process
 * @param orders its standard input
 * @param answers its standard output
 */
record IorChild(int rank, Process process, PrintWriter orders, BufferedReader answers) {
  private static final long GRACE_SECONDS = 3;

  static IorChild start(int rank, List<String> arguments) throws IOException {
    var command =
        JavaCommand.ofThisJvm()
            .serialCollector()
            .quickStart()
            .classPathOfThisJvm()
            .run(
                IorCommand.class.getName(),
                Stream.concat(Stream.of("--rank", Integer.toString(rank)), arguments.stream())
                    .toList());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    return new IorChild(
        rank,
        process,
        new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8),
        process.inputReader(StandardCharsets.UTF_8));
  }

  /** A child that is gone shows with its next answer. */
  void send(String line) {
    orders.println(line);
  }

  void awaitBarrier() throws IOException {
    String answer = answer();
    if (!answer.equals(ProcessTasks.AT_BARRIER)) {
      throw new IOException("task " + rank + " answered '" + answer + "'");
    }
  }

  TaskTimes times() throws IOException {
    String answer = answer();
    try {
      return TaskTimes.decode(answer);
    } catch (IllegalArgumentException e) {
      throw new IOException("task " + rank + " answered '" + answer + "'", e);
    }
  }

  void destroy() {
    process.destroy();
  }

  void close() {
    orders.close();
    try {
      if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private String answer() throws IOException {
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException("task " + rank + " ended before its phase did");
    }
    if (answer.startsWith(ProcessTasks.FAILED)) {
      throw new IOException("task " + rank + ": " + answer.substring(ProcessTasks.FAILED.length()));
    }
    return answer;
  }
}
