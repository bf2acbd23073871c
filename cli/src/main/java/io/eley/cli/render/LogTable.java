package io.eley.cli.render;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Logs, a line each. */
public final class LogTable {
  private static final String SUFFIX = ".log";

  private LogTable() {}

  /** What a log is called. */
  public static String name(Path log) {
    String file = log.getFileName() + "";
    return file.substring(0, file.length() - SUFFIX.length());
  }

  /**
   * One log.
   *
   * @param written when its last line was
   */
  public record Row(String name, long bytes, String written, String file) {}

  /** A row for each. Blocks. */
  public static List<Row> rows(List<Path> logs) throws IOException {
    var rows = new ArrayList<Row>();
    for (Path log : logs) {
      Instant written = Files.getLastModifiedTime(log).toInstant();
      rows.add(
          new Row(
              name(log),
              Files.size(log),
              written.truncatedTo(ChronoUnit.SECONDS).toString(),
              log.toString()));
    }
    return rows;
  }

  /** The table with its header, or one line that says that there is none. */
  public static String render(List<Row> rows) {
    if (rows.isEmpty()) {
      return "no log\n";
    }
    var text = new StringBuilder(line("LOG", "BYTES", "WRITTEN", "FILE"));
    rows.forEach(r -> text.append(line(r.name(), r.bytes() + "", r.written(), r.file())));
    return text.toString();
  }

  private static String line(String name, String bytes, String written, String file) {
    return String.format(Locale.ROOT, "%-20s %10s  %-20s  %s%n", name, bytes, written, file);
  }
}
