package io.eley.experiments;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What Spark's executors have read, by the kernel's own count ({@code rchar} of proc(5)). Jars and
 * little else of it is not the input: in the map phase nothing is fetched from other executors.
 *
 * @param workers the processes whose children executors are
 */
record Readers(Supplier<List<ProcessHandle>> workers) {
  private static final String READ = "rchar: ";

  /** Bytes since the start of each, by process id. */
  Map<Long, Long> bytes() {
    var bytes = new HashMap<Long, Long>();
    workers.get().stream()
        .flatMap(ProcessHandle::descendants)
        .map(ProcessHandle::pid)
        .forEach(pid -> read(pid, bytes));
    return bytes;
  }

  private static void read(long pid, Map<Long, Long> bytes) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/io"))) {
      lines
          .filter(line -> line.startsWith(READ))
          .map(line -> Long.valueOf(line.substring(READ.length())))
          .forEach(count -> bytes.put(pid, count));
    } catch (IOException | UncheckedIOException e) {
      // It has ended, or is somebody else's: nothing to count.
    }
  }
}
