package io.eley.scheduler.hooks.command;

import io.eley.scheduler.hooks.signal.SignalException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The port to other people's programs. Blocks for a bounded time. */
public interface CommandRunner {
  /**
   * What a program has printed.
   *
   * @param status its exit status
   * @param text standard output, as UTF-8, or what was kept of it
   * @param errors standard error, cut where it is long
   */
  record Output(int status, String text, String errors) {
    /** The first line of standard error; empty without one. */
    public String complaint() {
      return errors.lines().findFirst().orElse("");
    }
  }

  /** Makes of what a program prints what is kept of it. */
  @FunctionalInterface
  interface Keeping {
    /** Bytes that a text may have which is kept as it is. */
    int MOST = 16 << 20;

    /** All of it, as UTF-8, where that is no more than {@link #MOST}. */
    Keeping ALL =
        printed -> {
          byte[] bytes = printed.readNBytes(MOST);
          if (bytes.length == MOST && printed.read() >= 0) {
            throw new IOException("more than " + MOST + " bytes");
          }
          return new String(bytes, StandardCharsets.UTF_8);
        };

    /**
     * Reads as the program prints, perhaps on another thread than {@link #run}'s; bounds what it
     * keeps, not what it reads, and need not read to the end.
     *
     * @param printed standard output; to be left open
     * @throws IOException when it cannot be read, or too much would be kept: the run has failed
     */
    String of(InputStream printed) throws IOException;
  }

  /**
   * Runs a program to its end.
   *
   * @throws SignalException absent when there is no such program; failed when it takes too long or
   *     prints more than {@link Keeping#MOST} bytes. An exit status that is not zero is no failure
   *     here.
   */
  Output run(List<String> command) throws SignalException, InterruptedException;

  /**
   * Runs a program to its end, of whose output not all is kept.
   *
   * @throws SignalException as {@link #run(List)}, but for the length of the output: failed when
   *     {@code keeping} fails
   */
  default Output run(List<String> command, Keeping keeping)
      throws SignalException, InterruptedException {
    Output all = run(command);
    try {
      var printed = new ByteArrayInputStream(all.text().getBytes(StandardCharsets.UTF_8));
      return new Output(all.status(), keeping.of(printed), all.errors());
    } catch (IOException e) {
      throw SignalException.failed("its output cannot be read: " + e.getMessage());
    }
  }
}
