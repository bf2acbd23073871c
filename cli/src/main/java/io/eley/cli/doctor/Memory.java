package io.eley.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * How much RAM this process and what it starts may take: what the machine has available, and what
 * the control group of a job or a container leaves of it. Blocks on a RAM-disk count in both.
 *
 * @param availableBytes that the kernel could give without swapping; empty where it does not say
 * @param limitBytes of the control group and those above it; empty without one
 */
record Memory(OptionalLong availableBytes, OptionalLong limitBytes) {
  /** What version 1 says of a group without a limit is more than this. */
  private static final long NO_LIMIT = 1L << 60;

  /** That of this process. Blocks for a few files of the kernel. */
  static Memory ofThisProcess() {
    return read(Path.of("/proc"), Path.of("/sys/fs/cgroup"));
  }

  static Memory read(Path proc, Path groups) {
    OptionalLong kibibytes =
        lines(proc.resolve("meminfo"))
            .filter(line -> line.startsWith("MemAvailable:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
            .findFirst();
    OptionalLong available =
        kibibytes.isPresent() ? OptionalLong.of(kibibytes.getAsLong() << 10) : OptionalLong.empty();
    return new Memory(
        available,
        lines(proc.resolve("self/cgroup")).flatMapToLong(line -> limits(line, groups)).min());
  }

  /** Limits of a group and of all above it; {@code 0::/a/b}, or {@code 7:memory:/a/b} before. */
  private static java.util.stream.LongStream limits(String line, Path groups) {
    String[] parts = line.split(":", 3);
    if (parts.length < 3 || !(parts[1].isEmpty() || parts[1].equals("memory"))) {
      return java.util.stream.LongStream.empty();
    }
    Path root = parts[1].isEmpty() ? groups : groups.resolve("memory");
    String file = parts[1].isEmpty() ? "memory.max" : "memory.limit_in_bytes";
    Path group = root.resolve(parts[2].replaceFirst("^/+", "")).normalize();
    return Stream.iterate(group, g -> g != null && g.startsWith(root), Path::getParent)
        .flatMap(g -> lines(g.resolve(file)))
        .filter(text -> text.matches("\\d{1,18}"))
        .mapToLong(Long::parseLong)
        .filter(bytes -> bytes < NO_LIMIT);
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      return Stream.empty(); // another kernel, or a container that hides it
    }
  }

  /** What may be taken at most, as far as is known. */
  OptionalLong mostBytes() {
    return Stream.of(availableBytes, limitBytes)
        .filter(OptionalLong::isPresent)
        .mapToLong(OptionalLong::getAsLong)
        .min();
  }
}
