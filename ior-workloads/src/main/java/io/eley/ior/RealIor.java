package io.eley.ior;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * {@code --real}: the IOR that is installed here, with the same options. Its output is passed on
 * and read.
 */
final class RealIor {
  private RealIor() {}

  /**
   * Runs it and waits.
   *
   * @return its exit code
   * @throws IOException when none is installed, or its output is not IOR's
   */
  static int run(IorOptions options, IorFormat format, PrintWriter out) throws IOException {
    Path ior =
        onPath("ior")
            .orElseThrow(
                () -> new IOException("no ior on PATH; install IOR, or run without --real"));
    var command = new ArrayList<String>();
    if (options.tasks() > 1) {
      Path mpirun =
          onPath("mpirun")
              .orElseThrow(
                  () -> new IOException("-N " + options.tasks() + " --real needs mpirun on PATH"));
      command.addAll(
          List.of(mpirun.toString(), "-n", Integer.toString(options.tasks()), "--oversubscribe"));
    }
    command.add(ior.toString());
    command.addAll(arguments(options, format));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    out.print(output);
    out.flush();
    try {
      int code = process.waitFor();
      if (code == 0) {
        // Reading it proves that it is IOR's: another program of that name says so here, not in a
        // plot.
        IorResult read = IorOutputParser.parse(output);
        out.flush();
        return read.phases().isEmpty() ? 1 : 0;
      }
      return code;
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  static List<String> arguments(IorOptions o, IorFormat format) {
    var arguments = new ArrayList<>(List.of("-a", "POSIX", "-o", o.file()));
    Stream.of(
            flag(o.access().write(), "-w"),
            flag(o.access().read(), "-r"),
            flag(o.access().filePerTask(), "-F"),
            flag(o.access().sync(), "-e"),
            flag(o.keep(), "-k"))
        .flatMap(Optional::stream)
        .forEach(arguments::add);
    arguments.addAll(
        List.of(
            "-b", Long.toString(o.block().bytes()),
            "-t", Long.toString(o.transfer().bytes()),
            "-s", Integer.toString(o.segments()),
            "-i", Integer.toString(o.repetitions()),
            "-d", Long.toString(o.delay().toSeconds()),
            "-O",
                "summaryFormat="
                    + (format == IorFormat.DEFAULT
                        ? "default"
                        : format.name().toUpperCase(Locale.ROOT))));
    return arguments;
  }

  private static Optional<String> flag(boolean set, String letter) {
    return set ? Optional.of(letter) : Optional.empty();
  }

  private static Optional<Path> onPath(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, program))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
