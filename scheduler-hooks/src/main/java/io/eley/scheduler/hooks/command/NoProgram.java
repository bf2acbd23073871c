package io.eley.scheduler.hooks.command;

import io.eley.scheduler.hooks.signal.SignalException;
import java.io.IOException;
import java.util.regex.Pattern;

/** What is said when a program could not be started at all. */
public final class NoProgram {
  /** The JDK's words around those of the system; the program's name we say ourselves. */
  private static final Pattern AROUND =
      Pattern.compile("^Cannot run program .*?: (Exec failed, )?error[=:] ?\\d+,? ?");

  private NoProgram() {}

  static SignalException named(String program, IOException failed) {
    return SignalException.absent("there is no " + program + " to run: " + reason(failed));
  }

  /** The system's words, such as {@code Permission denied}, from those of the JDK. */
  public static String reason(IOException failed) {
    return AROUND.matcher(failed.getMessage() + "").replaceFirst("");
  }
}
