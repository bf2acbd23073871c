package io.eley.cli;

import io.eley.bb.api.config.Durations;
import io.eley.bb.api.origin.Origins;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What is typed becomes a value here, with a sentence of ours where it does not. */
final class Typed {
  /** {@code emulated:…}, {@code file:///…}: no file's name that a person would give. */
  private static final Pattern URI = Pattern.compile("[a-z][a-z0-9+.-]*:.*");

  private Typed() {}

  /** Makes a command line and all of its verbs read values so. */
  static CommandLine on(CommandLine command) {
    return command
        .registerConverter(Path.class, text -> Converted.of(() -> Home.path(text)))
        .registerConverter(Duration.class, text -> Converted.of(() -> Durations.parse(text)))
        .registerConverter(int.class, text -> Converted.of(() -> whole(text)))
        .registerConverter(Integer.class, text -> Converted.of(() -> whole(text)))
        .registerConverter(long.class, text -> Converted.of(() -> large(text)))
        .registerConverter(Long.class, text -> Converted.of(() -> large(text)));
  }

  /** Whether an option of a verb was typed; else its value is a default, maybe of eley.conf. */
  static boolean was(String option, CommandSpec verb) {
    return verb.commandLine().getParseResult().hasMatchedOption(option);
  }

  /** Whether a key was set by {@code -D} of a verb that has it; eley.conf's settings are not. */
  static boolean setting(String key, CommandSpec verb) {
    OptionSpec settings = verb.commandLine().getParseResult().matchedOption("-D");
    return settings != null
        && settings.originalStringValues().stream().anyMatch(value -> value.startsWith(key + "="));
  }

  /** What eley.conf says of an option of a verb. */
  static Optional<String> instead(String option, CommandSpec verb) {
    CommandLine command = verb.commandLine();
    return command.getDefaultValueProvider() instanceof OptionDefaults defaults
        ? Optional.ofNullable(command.getCommandSpec().findOption(option))
            .map(defaults::defaultValue)
        : Optional.empty();
  }

  private static int whole(String text) {
    return Math.toIntExact(number(text, Integer.MIN_VALUE, Integer.MAX_VALUE));
  }

  private static long large(String text) {
    return number(text, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  private static long number(String text, long least, long most) {
    try {
      long number = Long.parseLong(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The sentence below says it of both.
    }
    throw new IllegalArgumentException("no whole number: '" + text + "'");
  }

  /** The address of an origin: a directory, absolute, unless it is a URI. */
  static final class OriginConverter implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      return URI.matcher(text).matches()
          ? Converted.of(() -> withoutPassword(text))
          : Converted.of(() -> Home.path(text).toAbsolutePath().normalize().toString());
    }

    /** Without repeating it: what is said of a wrong value goes to terminals and logs. */
    private static String withoutPassword(String address) {
      if (Origins.hasPassword(address)) {
        throw new IllegalArgumentException(
            "an address takes no password; name credentials in Hadoop's own configuration");
      }
      return address;
    }
  }
}
