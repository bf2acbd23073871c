package io.eley.scheduler.hooks.counters;

import io.eley.scheduler.hooks.command.Commands;
import io.eley.scheduler.hooks.command.FirstPrint;
import io.eley.scheduler.hooks.counters.CounterReader.Look;
import io.eley.scheduler.hooks.signal.SignalException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Makes the reader of an operator's specification. */
public final class CounterReaders {
  /** Of one file: more than 20,000 jobs of Lustre's, of 1.6 kB each, and little beside a heap. */
  private static final int MOST_BYTES = 32 << 20;

  /** The tool prints all servers at once; a longer pause comes between two of its prints. */
  private static final Duration SILENCE = Duration.ofMillis(50);

  /** A text of counters. */
  private interface Parser {
    List<CounterPoint> parse(String server, String text) throws SignalException;
  }

  private CounterReaders() {}

  /**
   * The reader of a specification: {@code orangefs:MOUNT}, {@code lustre:FILES} (a pattern with
   * {@code *}, of files such as {@code /proc/fs/lustre/obdfilter/OST/stats}), {@code gpfs:COMMANDS}
   * (a file with {@code fs_io_s} in it, for {@code mmpmon -p -i}), or {@code file:PATH}.
   *
   * @param deadline of one look
   * @throws IllegalArgumentException in one line, for anything else
   */
  public static CounterReader of(String specification, Duration deadline) {
    int colon = specification.indexOf(':');
    String kind = colon < 0 ? "" : specification.substring(0, colon);
    String where = specification.substring(colon + 1);
    if (where.isBlank()) {
      throw unknown(specification);
    }
    return switch (kind) {
      case "orangefs" -> {
        var tool = new FirstPrint(deadline, SILENCE);
        yield () -> {
          var print = tool.of(List.of("pvfs2-perf-mon-example", "-m", where));
          return new Look(print.age(), PerfMon.parse(print.text()));
        };
      }
      case "lustre" -> {
        var lustre = new LustreCounters();
        yield () -> Look.now(files(where, lustre::read));
      }
      case "gpfs" -> {
        var commands = new Commands(deadline, Map.of());
        yield () ->
            Look.now(TextCounters.gpfs(commands.run(List.of("mmpmon", "-p", "-i", where)).text()));
      }
      case "file" -> () -> Look.now(files(where, (server, text) -> TextCounters.bytesFile(text)));
      default -> throw unknown(specification);
    };
  }

  private static IllegalArgumentException unknown(String specification) {
    return new IllegalArgumentException(
        "'"
            + specification
            + "' names no counters; write orangefs:MOUNT, lustre:FILES, gpfs:COMMANDS or"
            + " file:PATH");
  }

  private static List<CounterPoint> files(String pattern, Parser parser) throws SignalException {
    var points = new ArrayList<CounterPoint>();
    for (Path file : matching(pattern)) {
      try (var in = Files.newInputStream(file)) {
        byte[] text = in.readNBytes(MOST_BYTES);
        if (text.length == MOST_BYTES && in.read() >= 0) {
          // What is cut off would look as if it were moved in the moment in which it comes into
          // view.
          throw SignalException.failed(
              file
                  + " has more than "
                  + (MOST_BYTES >> 20)
                  + " MiB, which is the most that is read");
        }
        points.addAll(parser.parse(file.toString(), new String(text, StandardCharsets.UTF_8)));
      } catch (IOException e) {
        throw SignalException.failed("cannot read " + file + ": " + e.getMessage());
      }
    }
    if (points.isEmpty()) {
      throw SignalException.absent("there is no " + pattern);
    }
    return points;
  }

  /** A pattern's files; the part before its first wildcard is walked. */
  private static List<Path> matching(String pattern) throws SignalException {
    int wildcard = pattern.indexOf('*');
    if (wildcard < 0) {
      return Files.exists(Path.of(pattern)) ? List.of(Path.of(pattern)) : List.of();
    }
    Path root = Path.of(pattern.substring(0, pattern.lastIndexOf('/', wildcard) + 1));
    int depth = Path.of(pattern).getNameCount() - root.getNameCount();
    PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
    try (Stream<Path> all = Files.walk(root, depth)) {
      return all.filter(matcher::matches).sorted().toList();
    } catch (IOException | java.io.UncheckedIOException e) {
      throw SignalException.absent("there is no " + pattern);
    }
  }
}
