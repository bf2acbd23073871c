package io.eley.bb.api.edge;

import java.util.Locale;

/**
 * Text that moves no cursor, begins no line and reads in no other direction than it was written in,
 * whoever wrote it: what stands in a log, a terminal, a table or a page may quote job names, file
 * names and other programs' errors, and none of them must look like a line of ours.
 */
public final class PlainText {
  private PlainText() {}

  /**
   * The text with each character that is not plain written as its number, such as {@code \x1b} and
   * {@code \u202e}. Of plain text, and of what this returned, it is the same text.
   */
  public static String escape(String text) {
    return escape(text, "");
  }

  /** The same for text that may have several lines: line feeds and tabs stay. */
  public static String escapeLines(String text) {
    return escape(text, "\n\t");
  }

  /** Whether {@link #escape} would change nothing. */
  public static boolean isPlain(String text) {
    return text.codePoints().allMatch(PlainText::isPlain);
  }

  private static String escape(String text, String kept) {
    if (isPlain(text)) {
      return text;
    }
    var plain = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              if (isPlain(c) || kept.indexOf(c) >= 0) {
                plain.appendCodePoint(c);
              } else {
                plain.append(String.format(Locale.ROOT, c < 0x100 ? "\\x%02x" : "\\u%04x", c));
              }
            });
    return plain.toString();
  }

  /**
   * Controls, separators of lines and paragraphs, and what Unicode calls format: marks and
   * overrides of direction, joiners, tags. Half a surrogate pair is no character at all.
   */
  private static boolean isPlain(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          false;
      default -> true;
    };
  }
}
