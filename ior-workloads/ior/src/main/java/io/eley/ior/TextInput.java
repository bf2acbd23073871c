package io.eley.ior;

import io.eley.ior.IorResult.Details;
import io.eley.ior.IorResult.Phase;
import io.eley.ior.IorResult.Rates;
import io.eley.ior.IorResult.Removal;
import io.eley.ior.IorResult.Settings;
import io.eley.ior.IorResult.Stamp;
import io.eley.ior.IorResult.Stonewall;
import io.eley.ior.IorResult.Summary;
import io.eley.ior.IorResult.Times;
import io.eley.ior.IorResult.Warning;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * IOR's text. Recognised by the shape of a line, not by its place: with {@code -v} other lines come
 * between, in any order, because every task prints its own. When the summary went to another file
 * ({@code -O summaryFile}) only the times of day are here.
 */
final class TextInput {
  static final String TITLE = "MPI Coordinated Test of Parallel I/O";

  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final Pattern SETTING =
      Pattern.compile("([A-Za-z][A-Za-z ]{0,18}[A-Za-z])\\s*: (.*)");
  private static final Pattern STAMP =
      Pattern.compile(
          "Test \\d+: Iter=(\\d+), Task=(\\d+), Time=(\\d+)\\.(\\d{6}), (write|read) (.+)");
  private static final int PHASE_COLUMNS = 11;
  private static final int SUMMARY_COLUMNS = 27;
  private static final String WARNING = "WARNING: ";

  private final List<Phase> phases = new ArrayList<>();
  private final List<Summary> summaries = new ArrayList<>();
  private final List<Warning> warnings = new ArrayList<>();
  private final List<Removal> removals = new ArrayList<>();
  private final List<Stamp> stamps = new ArrayList<>();
  private final Map<String, String> settings = new LinkedHashMap<>();
  private boolean inOptions;
  private boolean finished;

  private TextInput() {}

  /** Whether this is a text of IOR's. */
  static boolean recognises(String text) {
    return text.contains(TITLE) || text.lines().anyMatch(l -> STAMP.matcher(l).matches());
  }

  static IorResult read(String text) throws IOException {
    var input = new TextInput();
    try {
      text.lines().forEach(input::readLine);
    } catch (NumberFormatException e) {
      throw new IOException("malformed text of IOR: " + e.getMessage(), e);
    }
    if (!input.finished && text.contains(TITLE)) {
      throw new IOException("the output of IOR is cut off: it has no line 'Finished'");
    }
    return new IorResult(
        input.phases,
        input.summaries,
        input.warnings,
        new Settings(input.settings),
        new Details(input.removals, input.stamps, List.of(), List.of()));
  }

  private void readLine(String line) {
    if (line.startsWith(WARNING)) {
      warnings.add(new Warning(phases.size(), line.substring(WARNING.length()).stripTrailing()));
    } else if (line.startsWith("Options:")) {
      inOptions = true;
    } else if (line.startsWith("Results:")) {
      inOptions = false;
    } else if (line.startsWith("Finished ")) {
      finished = true;
    } else if (inOptions) {
      readSetting(line);
    } else if (line.startsWith("Test ")) {
      readStamp(line);
    } else if (line.startsWith("write ") || line.startsWith("read ")) {
      readResult(BLANKS.split(line.strip()));
    } else if (line.startsWith("remove ")) {
      readRemoval(BLANKS.split(line.strip()));
    }
  }

  private void readSetting(String line) {
    var setting = SETTING.matcher(line);
    if (setting.matches()) {
      settings.put(setting.group(1), setting.group(2).strip());
    }
  }

  private void readStamp(String line) {
    var s = STAMP.matcher(line);
    if (s.matches()) {
      stamps.add(
          new Stamp(
              Integer.parseInt(s.group(1)),
              Integer.parseInt(s.group(2)),
              s.group(5),
              s.group(6),
              Long.parseLong(s.group(3)) * 1_000_000 + Long.parseLong(s.group(4))));
    }
  }

  private void readRemoval(String[] c) {
    if (c.length == PHASE_COLUMNS) {
      removals.add(new Removal(number(c[9]), Integer.parseInt(c[10])));
    }
  }

  private void readResult(String[] c) {
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
              new Rates(number(c[1]), number(c[2]), number(c[3]), number(c[4])),
              number(c[9]),
              Integer.parseInt(c[13]),
              number(c[24]),
              new Stonewall(optional(c[10]), optional(c[11]))));
    }
  }

  private static OptionalDouble optional(String text) {
    return text.equals("NA") ? OptionalDouble.empty() : OptionalDouble.of(number(text));
  }

  private static double number(String text) {
    return Double.parseDouble(text);
  }
}
