package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.cli.render.LogTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** The end of a log, and what is written behind it later. One thread. */
final class LogTail {
  /** So much of it is read at once at most: the rest of a long log is in the file. */
  private static final int MOST_BYTES = 1 << 20;

  private final Path file;
  private long offset;

  LogTail(Path file) {
    this.file = file;
  }

  /** Its last lines, as many as asked for. Blocks. */
  List<String> last(int lines) throws IOException {
    offset = Math.max(0, Files.size(file) - MOST_BYTES);
    boolean whole = offset == 0;
    List<String> all = more();
    List<String> complete = whole || all.isEmpty() ? all : all.subList(1, all.size());
    return complete.subList(Math.max(0, complete.size() - lines), complete.size());
  }

  /** The whole lines since the last look; of a file that began anew all that it has. Blocks. */
  List<String> more() throws IOException {
    try (SeekableByteChannel in = Files.newByteChannel(file)) {
      if (in.size() < offset) {
        offset = 0;
      }
      var bytes = ByteBuffer.allocate((int) Math.min(MOST_BYTES, in.size() - offset));
      in.position(offset);
      while (bytes.hasRemaining() && in.read(bytes) >= 0) {}
      int end = bytes.position();
      while (end > 0 && bytes.get(end - 1) != '\n') {
        end--;
      }
      // A line that is longer than what is read at once comes in pieces.
      int taken = end == 0 && bytes.position() == MOST_BYTES ? MOST_BYTES : end;
      offset += taken;
      return new String(bytes.array(), 0, taken, StandardCharsets.UTF_8).lines().toList();
    } catch (NoSuchFileException e) {
      offset = 0; // between two of its lives
      return List.of();
    }
  }

  /**
   * The logs of a directory, by their names. Blocks.
   *
   * @param names of those that are wanted; none for all
   * @throws EleyException {@code NOT_FOUND} for a name that no log has
   */
  static List<Path> chosen(Path directory, List<String> names) throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new EleyException(ErrorCode.NOT_FOUND, "there are no logs in " + directory);
    }
    try (var files = Files.list(directory)) {
      List<Path> all = files.filter(f -> f.toString().endsWith(".log")).sorted().toList();
      for (String name : names) {
        if (all.stream().noneMatch(f -> LogTable.name(f).equals(name))) {
          throw new EleyException(
              ErrorCode.NOT_FOUND,
              "no log '"
                  + name
                  + "'; there are "
                  + String.join(", ", all.stream().map(LogTable::name).toList()));
        }
      }
      return all.stream().filter(f -> names.isEmpty() || names.contains(LogTable.name(f))).toList();
    }
  }
}
