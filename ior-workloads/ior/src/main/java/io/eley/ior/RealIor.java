package io.eley.ior;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * {@code --real}: the IOR that is installed here, with the same options. Its output is passed on as
 * it comes, and read.
 *
 * @param path directories to look in, as in {@code PATH}
 */
record RealIor(String path) {
  /**
   * Runs it and waits.
   *
   * @param directives {@code -O}, as typed
   * @return what it reported
   * @throws IOException when none is installed, it fails, or its output is not IOR's
   */
  IorResult run(IorOptions options, List<String> directives, PrintWriter out) throws IOException {
    var builder = new ProcessBuilder(command(options, directives));
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    // Open MPI's words for what mpirun's flags say there; others do not know these flags.
    builder.environment().put("OMPI_MCA_rmaps_base_oversubscribe", "1");
    builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT", "1");
    builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    Process process = builder.start();
    var end = new Thread(process::destroy, "ior-stop");
    Runtime.getRuntime().addShutdownHook(end);
    try {
      String output = passOn(process.inputReader(StandardCharsets.UTF_8), out);
      int code = process.waitFor();
      if (code != 0) {
        throw new IOException("the installed ior ended with exit code " + code);
      }
      Optional<Path> summaryFile = summaryFile(directives);
      return summaryFile.isPresent()
          ? IorOutputParser.parse(summaryFile.get())
          : IorOutputParser.parse(output);
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } finally {
      forget(end);
    }
  }

  private List<String> command(IorOptions options, List<String> directives) throws IOException {
    Path ior =
        onPath("ior")
            .orElseThrow(
                () -> new IOException("no ior on PATH: install IOR, or run without --real"));
    var command = new ArrayList<String>();
    int tasks = options.shape().tasks();
    if (tasks > 1) {
      Path mpirun =
          onPath("mpirun")
              .orElseThrow(
                  () -> new IOException("no mpirun on PATH: -N " + tasks + " --real needs it"));
      command.addAll(List.of(mpirun.toString(), "-n", Integer.toString(tasks)));
    }
    command.add(ior.toString());
    command.addAll(options.letters());
    directives.forEach(d -> command.addAll(List.of("-O", d)));
    return command;
  }

  private static String passOn(BufferedReader from, PrintWriter to) throws IOException {
    var text = new StringBuilder();
    String line = from.readLine();
    while (line != null) {
      to.println(line);
      to.flush();
      text.append(line).append('\n');
      line = from.readLine();
    }
    return text.toString();
  }

  private static Optional<Path> summaryFile(List<String> directives) {
    String key = "summaryFile=";
    return directives.stream()
        .filter(d -> d.startsWith(key))
        .map(d -> Path.of(d.substring(key.length())))
        .findFirst();
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending, and the hook with it.
    }
  }

  private Optional<Path> onPath(String program) {
    return Stream.of(path.split(":", -1))
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, program))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }
}
