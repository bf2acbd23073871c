package io.eley.chaos;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.ProcessBuilder.Redirect;

/** The system's own commands: short ones, whose output nobody reads. */
final class SystemCommand {
  private SystemCommand() {}

  /**
   * Runs a command. Blocks until it is over.
   *
   * @return whether it is there and exits with 0
   */
  static boolean succeeds(String... command) throws InterruptedIOException {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while " + command[0] + " ran");
    } catch (IOException e) {
      return false; // there is no such command here
    }
  }
}
