package io.eley.scheduler.hooks.command;

import io.eley.scheduler.hooks.signal.SignalException;
import java.util.List;

/** The port to other people's programs. Blocks for a bounded time. */
public interface CommandRunner {
  /**
   * What a program has printed.
   *
   * @param status its exit status
   * @param text standard output, as UTF-8
   * @param errors standard error, cut where it is long
   */
  record Output(int status, String text, String errors) {
    /** The first line of standard error; empty without one. */
    public String complaint() {
      return errors.lines().findFirst().orElse("");
    }
  }

  /**
   * Runs a program to its end.
   *
   * @throws SignalException absent when there is no such program; failed when it takes too long or
   *     prints too much. An exit status that is not zero is no failure here.
   */
  Output run(List<String> command) throws SignalException, InterruptedException;
}
