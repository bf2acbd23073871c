package io.eley.scheduler.hooks.counters;

import io.eley.scheduler.hooks.signal.SignalException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The counters' texts of other file systems: one number for each server, now. */
public final class TextCounters {
  private TextCounters() {}

  /**
   * Lustre's {@code job_stats} and {@code stats} ({@code obdfilter.*}, {@code llite.*}): the sums
   * of {@code read_bytes} and {@code write_bytes} over all that is listed, be it {@code read_bytes:
   * { samples: 2, unit: bytes, min: 4096, max: 8192, sum: 12288 }} or {@code read_bytes 2 samples
   * [bytes] 4096 8192 12288}.
   */
  public static List<CounterPoint> lustre(String server, String text) throws SignalException {
    long sum = 0;
    int lines = 0;
    for (String line : text.lines().map(String::strip).toList()) {
      if (line.startsWith("read_bytes") || line.startsWith("write_bytes")) {
        sum += lustreSum(line);
        lines++;
      }
    }
    // A server that nobody has read from or written to lists neither.
    if (lines == 0 && !text.contains("snapshot_time") && !text.contains("job_stats")) {
      throw SignalException.failed("this is no text of Lustre's statistics: " + server);
    }
    return List.of(new CounterPoint(server, 0, sum));
  }

  private static long lustreSum(String line) throws SignalException {
    int sum = line.indexOf("sum:");
    String number =
        sum >= 0
            ? line.substring(sum + 4).strip().split("[^0-9]", 2)[0]
            : word(line.split("\\s+", -1), 6);
    return parse(number, line);
  }

  /**
   * GPFS's {@code mmpmon -p} answer to {@code fs_io_s}: {@code _fs_io_s_ _n_ 10.0.0.1 … _br_
   * 6291456 _bw_ 314572800 …}, a line a file system and node.
   */
  public static List<CounterPoint> gpfs(String text) throws SignalException {
    var points = new ArrayList<CounterPoint>();
    for (String line : text.lines().filter(l -> l.contains("_fs_io_s_")).toList()) {
      String[] words = line.strip().split("\\s+", -1);
      String server = after(words, "_nn_") + "/" + after(words, "_fs_");
      points.add(
          new CounterPoint(
              server, 0, parse(after(words, "_br_"), line) + parse(after(words, "_bw_"), line)));
    }
    if (points.isEmpty()) {
      throw SignalException.failed("mmpmon printed no fs_io_s");
    }
    return points;
  }

  /**
   * A bytes file, for whatever a site can plug in: a line {@code NAME BYTES} for each server, or
   * {@code BYTES} alone; cumulative; {@code #} begins a comment.
   */
  public static List<CounterPoint> bytesFile(String text) throws SignalException {
    var points = new ArrayList<CounterPoint>();
    for (String line : text.lines().map(l -> l.replaceAll("#.*", "").strip()).toList()) {
      if (!line.isEmpty()) {
        String[] words = line.split("\\s+", -1);
        points.add(
            new CounterPoint(
                words.length == 1 ? "all" : words[0], 0, parse(words[words.length - 1], line)));
      }
    }
    if (points.isEmpty()) {
      throw SignalException.failed("the bytes file is empty");
    }
    return points;
  }

  private static String after(String[] words, String label) throws SignalException {
    for (int i = 0; i + 1 < words.length; i++) {
      if (words[i].equals(label)) {
        return words[i + 1];
      }
    }
    throw SignalException.failed("mmpmon's line has no " + label);
  }

  private static String word(String[] words, int index) {
    return index < words.length ? words[index] : "";
  }

  private static long parse(String number, String line) throws SignalException {
    try {
      return Long.parseUnsignedLong(number);
    } catch (NumberFormatException e) {
      String shown = line.length() > 80 ? line.substring(0, 80) + "…" : line;
      throw SignalException.failed(String.format(Locale.ROOT, "not a counter: '%s'", shown));
    }
  }
}
