package io.eley.cli.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the rates say, in sentences; pure.
 *
 * @param rawLarge from the file system itself
 * @param firstLarge through the buffer, when it had to be fetched
 * @param ramLarge through the buffer, out of its RAM
 * @param rawSmall the small files from the file system itself
 * @param firstSmall the same through the buffer, fetched
 * @param ramSmall the same, out of its RAM
 * @param direct whether raw reads went past the page cache
 */
public record GainVerdict(
    Rate rawLarge,
    Rate firstLarge,
    Rate ramLarge,
    Rate rawSmall,
    Rate firstSmall,
    Rate ramSmall,
    boolean direct) {
  /** Less is not worth a deployment; one measurement is that far off. */
  private static final double WORTH = 1.2;

  /** A table of six rates, and the verdict below it. */
  public List<String> lines() {
    var lines = new ArrayList<String>();
    lines.add(String.format(Locale.ROOT, "%-32s %12s %14s", "", "large, MB/s", "small, files/s"));
    lines.add(line("the file system itself", rawLarge, rawSmall));
    lines.add(line("through the buffer, fetched", firstLarge, firstSmall));
    lines.add(line("through the buffer, from RAM", ramLarge, ramSmall));
    lines.add("");
    lines.add(large());
    lines.add(small());
    if (!direct) {
      lines.add(
          "The file system does not let us read past the page cache: its rates may be this machine's"
              + " RAM.");
    }
    return lines;
  }

  private static String line(String what, Rate large, Rate small) {
    return String.format(
        Locale.ROOT,
        "%-32s %12.0f %14.0f",
        what,
        large.megabytesPerSecond(),
        small.filesPerSecond());
  }

  /** How many times as fast a reader is that finds large files in RAM. */
  public double largeGain() {
    return ramLarge.megabytesPerSecond() / rawLarge.megabytesPerSecond();
  }

  /** The same for small files. */
  public double smallGain() {
    return ramSmall.filesPerSecond() / Math.max(1e-9, rawSmall.filesPerSecond());
  }

  private String large() {
    return sentence("Large files", largeGain());
  }

  private String small() {
    return sentence("Small files", smallGain());
  }

  private static String sentence(String what, double gain) {
    return gain < WORTH
        ? String.format(
            Locale.ROOT,
            "%s: nothing is to be gained while nobody else loads the file system (%.1f times as"
                + " fast from RAM).",
            what,
            gain)
        : String.format(
            Locale.ROOT,
            "%s: from RAM %.1f times as fast, as far as prefetching is ahead of the tasks.",
            what,
            gain);
  }
}
