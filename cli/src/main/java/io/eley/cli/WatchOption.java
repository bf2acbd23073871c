package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.scheduler.hooks.job.Pause;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option by which verbs show something again and again, until Ctrl-C. */
final class WatchOption {
  /** Home, and everything behind it away: what is longer than before leaves no rests. */
  private static final String CLEAR = "\033[H\033[J";

  @Option(
      names = "--watch",
      arity = "0..1",
      fallbackValue = "2s",
      paramLabel = "TIME",
      description = "again each TIME (default: ${FALLBACK-VALUE}) until Ctrl-C")
  private @Nullable Duration every;

  /** One look. */
  @FunctionalInterface
  interface Look {
    void print() throws EleyException;
  }

  /** Looks once, or again and again, until what reads it has gone. Blocks. */
  void look(PrintWriter out, Look look) throws EleyException {
    look(out, look, Pause.sleeping(), onATerminal(1));
  }

  /**
   * Whether a stream is one; the JDK says it of all together, and since 22 never.
   *
   * @param descriptor 1 is standard output, 2 that of errors
   */
  static boolean onATerminal(int descriptor) {
    return leadsTo(descriptor, "/dev/pts/", "/dev/tty");
  }

  /** Whether a stream's end has a name that begins so. */
  static boolean leadsTo(int descriptor, String... kinds) {
    try {
      String end = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return Arrays.stream(kinds).anyMatch(end::startsWith);
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Looks once, or until nobody reads on or the pause ends in an exception.
   *
   * @param terminal whether each look takes the place of the one before it
   */
  void look(PrintWriter out, Look look, Pause pause, boolean terminal) throws EleyException {
    if (every == null) {
      look.print();
      return;
    }
    Numbers.require("--watch (ms)", every.toMillis(), 100, Duration.ofHours(1).toMillis());
    while (true) {
      if (terminal) {
        System.out.print(CLEAR); // the verbs' own printer lets no escape pass
        System.out.flush();
      }
      look.print();
      if (out.checkError()) {
        return;
      }
      pause.forTime(every);
      if (!terminal) {
        out.println();
      }
    }
  }
}
