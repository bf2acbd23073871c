package io.eley.cli;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is wrong with what was typed, in one sentence that names it as it was typed. */
final class BadUsage {
  private BadUsage() {}

  static String sentence(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched) {
      return unmatched(unmatched);
    }
    if (e instanceof MissingParameterException missing && !missing.getMissing().isEmpty()) {
      return "missing: "
          + missing.getMissing().stream().map(BadUsage::shown).collect(Collectors.joining(", "));
    }
    ArgSpec argument = e.getArgSpec();
    if (argument != null && e.getValue() != null) {
      return isPair(argument) ? pair(e, argument) : name(argument) + ": " + value(e, argument);
    }
    return ofOurs(e) ? first(String.valueOf(e.getMessage())) : verb(e);
  }

  /** Verbs throw these, too, with sentences of ours; picocli's own are of its package. */
  private static boolean ofOurs(ParameterException e) {
    StackTraceElement[] trace = e.getStackTrace();
    return trace.length > 0 && trace[0].getClassName().startsWith("io.eley.");
  }

  /** What is left of picocli's own is about verbs: none was given, or {@code help} of no verb. */
  private static String verb(ParameterException e) {
    if (e.getValue() != null) {
      return "there is no verb '" + e.getValue() + "'";
    }
    CommandLine command = e.getCommandLine();
    if (command.getSubcommands().isEmpty()) {
      return first(String.valueOf(e.getMessage()));
    }
    return command.getParent() == null
        ? "missing: a verb"
        : "missing: one of " + String.join(", ", command.getSubcommands().keySet());
  }

  private static String unmatched(UnmatchedArgumentException e) {
    String word = e.getUnmatched().get(0);
    CommandLine command = e.getCommandLine();
    if (e.isUnknownOption()) {
      return "there is no option " + word;
    }
    boolean verbs = !command.getSubcommands().isEmpty();
    return verbs ? "there is no verb '" + word + "'" : "'" + word + "' is one word too many";
  }

  private static String value(ParameterException e, ArgSpec argument) {
    if (e.getCause() instanceof TypeConversionException ours && isOurs(argument)) {
      return String.valueOf(ours.getMessage());
    }
    Class<?> type = argument.isMultiValue() ? argument.auxiliaryTypes()[0] : argument.type();
    Object[] constants = type.getEnumConstants();
    return constants == null
        ? "'" + e.getValue() + "' makes no sense here"
        : "'"
            + e.getValue()
            + "' is none of "
            + Arrays.stream(constants)
                .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
  }

  private static boolean isPair(ArgSpec argument) {
    return argument.type() == Map.class;
  }

  /** By all names: picocli does not say which was typed, and {@code -D} is not seen in the long. */
  private static String pair(ParameterException e, ArgSpec argument) {
    String names =
        argument instanceof OptionSpec option
            ? String.join(" or ", option.names())
            : argument.paramLabel();
    return names + " " + e.getValue() + ": must be " + argument.paramLabel();
  }

  /** Picocli reads enums itself, and says what they are in Java's spelling. */
  private static boolean isOurs(ArgSpec argument) {
    return argument.converters().length > 0 || !argument.type().isEnum();
  }

  /** As a person would type it: {@code --origin DIR}. */
  private static String shown(ArgSpec argument) {
    return argument instanceof OptionSpec option
        ? option.longestName() + " " + option.paramLabel()
        : argument.paramLabel();
  }

  private static String name(ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
  }

  private static String first(String text) {
    return text.lines().findFirst().orElse("this makes no sense");
  }
}
