package io.eley.ior;

import io.eley.ior.IorResult.Phase;
import io.eley.ior.IorResult.Settings;
import io.eley.ior.IorResult.Summary;
import io.eley.ior.IorResult.Times;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * IOR's text. Recognised by the shape of a line, not by its place: with {@code -v} other lines come
 * between, in any order, because every task prints its own.
 */
final class TextInput {
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final Pattern SETTING = Pattern.compile("([A-Za-z][A-Za-z ]{0,19}?)\\s*: (.*)");
  private static final int PHASE_COLUMNS = 11;
  private static final int SUMMARY_COLUMNS = 27;
  private static final String WARNING = "WARNING: ";

  private final List<Phase> phases = new ArrayList<>();
  private final List<Summary> summaries = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final Map<String, String> settings = new LinkedHashMap<>();
  private boolean inOptions;
  private boolean finished;

  private TextInput() {}

  static IorResult read(String text) throws IOException {
    var input = new TextInput();
    try {
      text.lines().forEach(input::line);
    } catch (NumberFormatException e) {
      throw new IOException("malformed text of IOR: " + e.getMessage(), e);
    }
    if (!input.finished) {
      throw new IOException("the output of IOR is cut off: it has no line 'Finished'");
    }
    return new IorResult(
        input.phases, input.summaries, input.warnings, new Settings(input.settings));
  }

  private void line(String line) {
    if (line.startsWith(WARNING)) {
      warnings.add(line.substring(WARNING.length()).strip());
    } else if (line.startsWith("Options:")) {
      inOptions = true;
    } else if (line.startsWith("Results:")) {
      inOptions = false;
    } else if (line.startsWith("Finished ")) {
      finished = true;
    } else if (inOptions) {
      setting(line);
    } else if (line.startsWith("write ") || line.startsWith("read ")) {
      result(BLANKS.split(line.strip()));
    }
  }

  private void setting(String line) {
    var setting = SETTING.matcher(line);
    if (setting.matches()) {
      settings.put(setting.group(1).strip(), setting.group(2).strip());
    }
  }

  private void result(String[] c) {
    if (c.length == PHASE_COLUMNS) {
      phases.add(
          new Phase(
              c[0],
              number(c[1]),
              number(c[2]),
              number(c[3]),
              number(c[4]),
              number(c[5]),
              new Times(number(c[6]), number(c[7]), number(c[8]), number(c[9])),
              Integer.parseInt(c[10])));
    } else if (c.length == SUMMARY_COLUMNS) {
      summaries.add(
          new Summary(
              c[0],
              number(c[1]),
              number(c[2]),
              number(c[3]),
              number(c[4]),
              number(c[9]),
              Integer.parseInt(c[13]),
              c[10].equals("NA") ? OptionalDouble.empty() : OptionalDouble.of(number(c[10]))));
    }
  }

  private static double number(String text) {
    return Double.parseDouble(text);
  }
}
