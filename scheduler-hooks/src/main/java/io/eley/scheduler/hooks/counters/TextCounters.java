package io.eley.scheduler.hooks.counters;

import io.eley.scheduler.hooks.signal.ByteCounts;
import io.eley.scheduler.hooks.signal.SignalException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The counters' texts of other file systems, now. */
public final class TextCounters {
  private TextCounters() {}

  /**
   * GPFS's {@code mmpmon -p} answer to {@code fs_io_s}: {@code _fs_io_s_ _n_ 10.0.0.1 … _br_
   * 6291456 _bw_ 314572800 …}, a line a file system and node, each with two counters.
   */
  public static List<CounterPoint> gpfs(String text) throws SignalException {
    var points = new ArrayList<CounterPoint>();
    for (String line : text.lines().filter(l -> l.contains("_fs_io_s_")).toList()) {
      String[] words = line.strip().split("\\s+", -1);
      String server = after(words, "_nn_") + "/" + after(words, "_fs_");
      for (String counter : List.of("_br_", "_bw_")) {
        points.add(new CounterPoint(server + " " + counter, parse(after(words, counter), line)));
      }
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
                words.length == 1 ? "all" : words[0], parse(words[words.length - 1], line)));
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

  private static long parse(String number, String line) throws SignalException {
    try {
      return ByteCounts.parse(number);
    } catch (NumberFormatException e) {
      String shown = line.length() > 80 ? line.substring(0, 80) + "…" : line;
      throw SignalException.failed(String.format(Locale.ROOT, "not a counter: '%s'", shown));
    }
  }
}
