package io.eley.bb.api.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads and writes durations in the form that people use: {@code 500ms}, {@code 2s}, {@code 5m},
 * {@code 1h}.
 */
public final class Durations {
  private static final Pattern FORM = Pattern.compile("(\\d{1,12})\\s*(ms|s|m|h)");

  private Durations() {}

  /**
   * Parses a duration with its unit.
   *
   * @throws IllegalArgumentException saying what forms there are
   */
  public static Duration parse(String text) {
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "not a duration: '" + text + "' (write for example 500ms, 2s, 5m or 1h)");
    }
    long number = Long.parseLong(form.group(1));
    return switch (form.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      default -> Duration.ofHours(number);
    };
  }
}
