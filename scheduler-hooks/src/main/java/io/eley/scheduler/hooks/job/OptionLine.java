package io.eley.scheduler.hooks.job;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A line of options in a batch script, as words of a command line that say the same. */
final class OptionLine {
  private static final char NONE = 0;

  /** Short options, of which the last takes a value; the others are sbatch(1)'s that take none. */
  private static final Pattern SHORT = Pattern.compile("-[HIOQkhsvVW]*[^HIOQkhsvVW-]");

  private OptionLine() {}

  /**
   * The words that sbatch makes of the line, each option with its value in one: a value by itself
   * that no option takes would be the script's name on a command line. A line with half a quotation
   * is one word; sbatch refuses the script for it.
   */
  static List<String> words(String line) {
    var words = new ArrayList<String>();
    for (String word : split(line)) {
      int last = words.size() - 1;
      if (word.startsWith("-") || last < 0) {
        words.add(word);
      } else {
        words.set(last, joined(words.get(last), word));
      }
    }
    return words;
  }

  private static String joined(String option, String value) {
    if (option.startsWith("--") && !option.contains("=")) {
      return option + "=" + value;
    }
    return SHORT.matcher(option).matches() ? option + value : option + " " + value;
  }

  /** At spaces that are not quoted, up to a comment. */
  private static List<String> split(String line) {
    var words = new ArrayList<String>();
    var word = new StringBuilder();
    boolean within = false;
    boolean escaped = false;
    char quote = NONE;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      boolean quoted = quote != NONE;
      if (escaped) {
        word.append(c);
        escaped = false;
      } else if (c == '\\') {
        escaped = true;
      } else if (quoted ? c == quote : c == '"' || c == '\'') {
        quote = quoted ? NONE : c;
      } else if (c == '#' && !quoted) {
        break;
      } else if (Character.isWhitespace(c) && !quoted) {
        if (within) {
          words.add(word.toString());
          word.setLength(0);
        }
        within = false;
        continue;
      } else {
        word.append(c);
      }
      within = true;
    }
    if (quote != NONE) {
      return List.of(line);
    }
    if (within) {
      words.add(word.toString());
    }
    return words;
  }
}
