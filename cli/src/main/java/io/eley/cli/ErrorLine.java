package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.cli.AllKeys.RefusedSetting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Errors as a person wants them: one line that says what is wrong and what to do, never a stack
 * trace.
 */
final class ErrorLine {
  static final int FAILED = 1;
  static final int USAGE = 2;
  private static final String BY_FILE = " (so says eley.conf)";

  private ErrorLine() {}

  static int badUsage(ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    var err = command.getErr();
    err.println("eley: " + BadUsage.sentence(e) + (isDefault(e) ? BY_FILE : ""));
    UnmatchedArgumentException.printSuggestions(e, err);
    err.println(help(command));
    return USAGE;
  }

  /** Whether the value that is refused was not typed: who typed none would look for it in vain. */
  private static boolean isDefault(ParameterException e) {
    return e.getArgSpec() instanceof OptionSpec option
        && e.getValue() != null
        && e.getCommandLine().getDefaultValueProvider() instanceof OptionDefaults defaults
        && defaults.says(option, e.getValue());
  }

  /** The same of a setting, which may stand in the file for all verbs that take any. */
  private static boolean isDefault(Exception e, CommandLine command) {
    return e instanceof RefusedSetting setting
        && command.getDefaultValueProvider() instanceof OptionDefaults defaults
        && defaults.saysOfKey(setting.name(), setting.value());
  }

  private static String help(CommandLine command) {
    return "Try '" + command.getCommandSpec().qualifiedName() + " --help'.";
  }

  /**
   * Turns what a verb threw into a line. A value that its key or record refuses is the user's, as
   * one that the parser refuses. A defect of ours still shows its type and place, so that it can be
   * reported; {@code ELEY_DEBUG=1} shows everything.
   */
  static int failed(Exception e, CommandLine command, ParseResult parsed) {
    // What is quoted may hold line feeds: only what we say ourselves begins at the margin.
    String what = describe(e).replace("\n", "\n  ");
    command.getErr().println("eley: " + what + (isDefault(e, command) ? BY_FILE : ""));
    if ("1".equals(System.getenv("ELEY_DEBUG"))) {
      e.printStackTrace(command.getErr());
    }
    if (e instanceof IllegalArgumentException) {
      command.getErr().println(help(command));
      return USAGE;
    }
    return FAILED;
  }

  /**
   * The exit code of what was done: nothing is done that could not be said, unless who reads it had
   * enough, as {@code head}.
   */
  static int written(CommandLine command) {
    if (!command.getOut().checkError() || WatchOption.leadsTo(1, "pipe:", "socket:")) {
      return 0;
    }
    command.getErr().println("eley: what there is to say cannot be written (is the disk full?)");
    return FAILED;
  }

  static String describe(Throwable e) {
    if (e instanceof EleyException) {
      // One line, unless it quotes what another program said last.
      return String.valueOf(e.getMessage()).strip();
    }
    if (e instanceof IllegalArgumentException) {
      return firstLine(e.getMessage());
    }
    if (e instanceof UncheckedIOException && e.getCause() != null) {
      return describe(e.getCause());
    }
    if (e instanceof IOException) {
      return system(e);
    }
    StackTraceElement[] trace = e.getStackTrace();
    return "internal error: "
        + e
        + (trace.length > 0 ? " at " + trace[0] : "")
        + " (ELEY_DEBUG=1 shows the stack trace)";
  }

  /** The JDK's file errors have the file as their message, and their name says what of it. */
  private static String system(Throwable e) {
    String about = firstLine(e.getMessage());
    if (e instanceof NoSuchFileException) {
      return about + " does not exist";
    }
    if (e instanceof AccessDeniedException) {
      return "this user may not use " + about;
    }
    if (e instanceof NotDirectoryException) {
      return about + " is no directory";
    }
    return e instanceof FileAlreadyExistsException ? about + " exists already" : about;
  }

  private static String firstLine(@org.jspecify.annotations.Nullable String text) {
    return text == null ? "unknown error" : text.lines().findFirst().orElse("unknown error");
  }
}
