package io.eley.laboratory;

import java.util.Locale;

/**
 * An experiment's progress on one line of a terminal: how far all of it is, how long it will take,
 * and what happens. Worked example, 60 columns: {@code " 61 % ████████████░░░░░░░░ 1:15 left, map
 * 55 %"}. Pure.
 *
 * @param full fills the bar
 * @param empty the rest of it
 */
record ProgressLine(char full, char empty) {
  static final ProgressLine BLOCKS = new ProgressLine('\u2588', '\u2591');
  static final ProgressLine PLAIN = new ProgressLine('#', '.');

  private static final int LEAST_BAR = 8;
  private static final int MOST_BAR = 24;

  /** Times are shown in steps of this, so that they do not flicker. */
  private static final int STEP_SECONDS = 5;

  /**
   * The line, exactly as wide as asked for; what does not fit is cut off at the end.
   *
   * @param story what happens now, in a few words; may be empty
   */
  String render(Estimate.Shown shown, String story, int width) {
    String words = "  " + left(shown.secondsLeft()) + (shown.late() ? ", longer than thought" : "");
    String after = words + (story.isEmpty() ? "" : ", " + story);
    String percent = String.format(Locale.ROOT, "%3d %% ", (int) (100 * shown.part()));
    int bar =
        Math.max(LEAST_BAR, Math.min(MOST_BAR, width - percent.length() - after.length() - 1));
    int filled = (int) Math.round(bar * shown.part());
    String line = percent + repeat(full, filled) + repeat(empty, bar - filled) + after;
    int columns = Math.max(0, width);
    return line.length() > columns
        ? line.substring(0, columns)
        : line + " ".repeat(columns - line.length());
  }

  /** A time as people say it: {@code 1:15 left}. */
  static String left(double seconds) {
    long rounded = Math.round(Math.ceil(seconds / STEP_SECONDS)) * STEP_SECONDS;
    return rounded <= STEP_SECONDS
        ? "seconds left"
        : String.format(Locale.ROOT, "%d:%02d left", rounded / 60, rounded % 60);
  }

  private static String repeat(char character, int times) {
    return String.valueOf(character).repeat(times);
  }
}
