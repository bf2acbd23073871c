package io.eley.scheduler.hooks.counters;

import io.eley.scheduler.hooks.command.Commands;
import io.eley.scheduler.hooks.command.FirstPrint;
import io.eley.scheduler.hooks.counters.CounterReader.Look;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Makes the reader of an operator's specification. */
public final class CounterReaders {
  /** The tool prints all servers at once; a longer pause comes between two of its prints. */
  private static final Duration SILENCE = Duration.ofMillis(50);

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
      case "lustre" -> new CounterFiles(where, new LustreCounters()::read);
      case "gpfs" -> {
        var commands = new Commands(deadline, Map.of());
        yield () ->
            Look.now(TextCounters.gpfs(commands.run(List.of("mmpmon", "-p", "-i", where)).text()));
      }
      case "file" -> new CounterFiles(where, (file, text) -> TextCounters.bytesFile(text));
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
}
