package io.eley.cli.doctor;

import java.util.Locale;

/**
 * What a check has found.
 *
 * @param subject one word: what was looked at
 * @param level how bad it is
 * @param says what there is, in one line
 * @param hint what to do about it; empty when there is nothing to do
 */
public record Finding(String subject, Level level, String says, String hint) {
  /** How bad it is. */
  public enum Level {
    /** As it should be. */
    OK,
    /** It works, but not as well as it could. */
    WARN,
    /** A deployment does not work so. */
    FAIL
  }

  static Finding ok(String subject, String says) {
    return new Finding(subject, Level.OK, says, "");
  }

  static Finding warn(String subject, String says, String hint) {
    return new Finding(subject, Level.WARN, says, hint);
  }

  static Finding fail(String subject, String says, String hint) {
    return new Finding(subject, Level.FAIL, says, hint);
  }

  /** Whether no deployment works so. */
  public boolean fails() {
    return level == Level.FAIL;
  }

  /** The line that is printed. */
  public String line() {
    return String.format(
        Locale.ROOT, "%-5s %-10s %s", level.name().toLowerCase(Locale.ROOT), subject, sentence());
  }

  /** The same for who has asked for one thing only. */
  String sentence() {
    return hint.isEmpty() ? says : says + "; " + hint;
  }
}
