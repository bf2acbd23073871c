package io.eley.ior;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Tasks as processes: each child waits for the name of an operation on its standard input, runs it,
 * and answers with its times on its standard output. A child whose input ends, ends.
 */
final class ProcessTasks implements IorTasks {
  private static final String FAILED = "failed ";
  private static final int TIMES = 6;

  private final List<Child> children = new ArrayList<>();

  private ProcessTasks() {}

  /**
   * Starts a child for each task.
   *
   * @param arguments of this run; the children get their rank in addition
   */
  static ProcessTasks start(IorOptions options, List<String> arguments) throws IOException {
    var tasks = new ProcessTasks();
    try {
      for (int rank = 0; rank < options.tasks(); rank++) {
        tasks.children.add(Child.start(rank, arguments));
      }
      return tasks;
    } catch (IOException e) {
      tasks.close();
      throw e;
    }
  }

  /** The child's side. Returns its exit code when its input ends. */
  static int serve(IorTask task, InputStream orders, OutputStream answers) throws IOException {
    var in = new BufferedReader(new InputStreamReader(orders, StandardCharsets.UTF_8));
    var out = new PrintStream(answers, true, StandardCharsets.UTF_8);
    String order = in.readLine();
    while (order != null) {
      out.println(answer(task, order));
      order = in.readLine();
    }
    return 0;
  }

  @Override
  public List<TaskTimes> phase(IorOperation operation) throws IOException {
    children.forEach(child -> child.order(operation));
    var times = new ArrayList<TaskTimes>();
    for (Child child : children) {
      times.add(child.times());
    }
    return times;
  }

  @Override
  public void close() {
    children.forEach(Child::close);
  }

  private static String answer(IorTask task, String order) {
    try {
      TaskTimes t = task.run(IorOperation.valueOf(order));
      return LongStream.of(
              t.openStart(), t.openEnd(), t.transferEnd(), t.closeEnd(), t.busy(), t.transfers())
          .mapToObj(Long::toString)
          .collect(Collectors.joining(" "));
    } catch (IOException e) {
      return FAILED + String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
  }

  /** One child process. */
  private record Child(int rank, Process process, PrintWriter orders, BufferedReader answers) {
    static Child start(int rank, List<String> arguments) throws IOException {
      var command =
          Stream.concat(
                  Stream.of(
                      Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                      "-XX:+UseSerialGC",
                      "-cp",
                      System.getProperty("java.class.path"),
                      IorCommand.class.getName(),
                      "--rank",
                      Integer.toString(rank)),
                  arguments.stream())
              .toList();
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      return new Child(
          rank,
          process,
          new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8),
          process.inputReader(StandardCharsets.UTF_8));
    }

    void order(IorOperation operation) {
      orders.println(operation.name());
    }

    TaskTimes times() throws IOException {
      String answer = answers.readLine();
      if (answer == null) {
        throw new IOException("task " + rank + " ended before its phase did");
      }
      if (answer.startsWith(FAILED)) {
        throw new IOException("task " + rank + ": " + answer.substring(FAILED.length()));
      }
      String[] n = answer.split(" ", -1);
      if (n.length != TIMES) {
        throw new IOException("task " + rank + " answered '" + answer + "'");
      }
      return new TaskTimes(
          Long.parseLong(n[0]),
          Long.parseLong(n[1]),
          Long.parseLong(n[2]),
          Long.parseLong(n[3]),
          Long.parseLong(n[4]),
          Long.parseLong(n[5]));
    }

    void close() {
      orders.close();
      try {
        if (!process.waitFor(3, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}
