package io.eley.coordinator.neighbours;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a deployment tells others of itself, as one line of a file.
 *
 * @param sequence grows with each change
 * @param bytes that its nodes and clients have moved since its start
 * @param at until when, milliseconds of the clock that all hosts share
 * @param loads whether it loads the file system now, so that others' reads take longer
 * @param fileSystem that it moves them on
 */
record NeighbourEntry(long sequence, long bytes, long at, boolean loads, String fileSystem) {
  /** No entry is longer, in bytes. */
  static final int LONGEST = 1024;

  private static final Pattern LINE =
      Pattern.compile("eley-2 (\\d{1,18}) (\\d{1,18}) (\\d{1,18}) ([01]) (\\S{1,512})\\n");

  String line() {
    return String.join(
        " ",
        "eley-2",
        Long.toString(sequence),
        Long.toString(bytes),
        Long.toString(at),
        loads ? "1" : "0",
        fileSystem + "\n");
  }

  /** The entry of a line; empty for any other text. */
  static Optional<NeighbourEntry> parse(String line) {
    Matcher m = LINE.matcher(line);
    return m.matches()
        ? Optional.of(
            new NeighbourEntry(
                Long.parseLong(m.group(1)),
                Long.parseLong(m.group(2)),
                Long.parseLong(m.group(3)),
                m.group(4).equals("1"),
                m.group(5)))
        : Optional.empty();
  }
}
