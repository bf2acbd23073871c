package io.eley.chaos;

import io.eley.bb.api.process.JavaCommand;
import io.eley.local.deployment.Teardown;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a command of Eley once more, in a network namespace of its own. */
final class Isolation {
  private static final int FAREWELL_SECONDS = 60;

  private Isolation() {}

  /**
   * Runs it with this JVM's options and class path. Blocks until it is over; the exit of this JVM
   * ends it.
   *
   * @param mainClass takes the words
   * @param out gets what it prints
   * @return its exit code
   */
  static int run(String mainClass, List<String> words, PrintWriter out)
      throws IOException, InterruptedException {
    var command = new ArrayList<>(OwnNetwork.ENTER);
    command.addAll(
        JavaCommand.ofThisJvm().options(options()).classPathOfThisJvm().run(mainClass, words));
    var builder = new ProcessBuilder(command).redirectError(Redirect.INHERIT);
    try (var teardown = Teardown.onExit()) {
      Process process = teardown.start(() -> new Child(builder.start())).process();
      try (var lines =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), Charset.defaultCharset()))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          out.println(line);
          out.flush();
        }
      }
      return process.waitFor();
    }
  }

  /** Those that a user or a test has set: a debugger's port, say, is only free once. */
  private static List<String> options() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("-X") || option.startsWith("-D"))
        .toList();
  }

  private record Child(Process process) implements AutoCloseable {
    @Override
    public void close() {
      process.destroy();
      try {
        if (!process.waitFor(FAREWELL_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}
