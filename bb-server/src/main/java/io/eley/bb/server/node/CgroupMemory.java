package io.eley.bb.server.node;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The least memory that a cgroup of version 2 or one above it may take. Slurm limits the job and
 * the step, and puts processes two levels below; JDK 17 reads the limit of a process's own cgroup
 * alone there, and finds none. Of version 1 the JDK reads what holds.
 */
final class CgroupMemory {
  private static final String VERSION_2 = "0::";
  private static final String NO_LIMIT = "max";

  private final Path membership;
  private final Path mounted;

  /**
   * Reads nothing yet.
   *
   * @param membership {@code /proc/PID/cgroup}
   * @param mounted where version 2 is mounted
   */
  CgroupMemory(Path membership, Path mounted) {
    this.membership = membership;
    this.mounted = mounted;
  }

  static CgroupMemory ofThisProcess() {
    return new CgroupMemory(Path.of("/proc/self/cgroup"), Path.of("/sys/fs/cgroup"));
  }

  /** The limit in bytes; {@link Long#MAX_VALUE} where there is none, or it cannot be read. */
  long bytes() {
    long least = Long.MAX_VALUE;
    Optional<Path> group = group();
    while (group.isPresent() && group.get().startsWith(mounted)) {
      least = Math.min(least, limit(group.get().resolve("memory.max")));
      group = Optional.ofNullable(group.get().getParent());
    }
    return least;
  }

  private Optional<Path> group() {
    try {
      return Files.readAllLines(membership, StandardCharsets.UTF_8).stream()
          .filter(line -> line.startsWith(VERSION_2 + "/"))
          .map(line -> line.substring(VERSION_2.length() + 1))
          .findFirst()
          .map(below -> mounted.resolve(below).normalize());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The uppermost cgroup has no such file. */
  private static long limit(Path file) {
    try {
      String text = Files.readString(file).strip();
      return text.equals(NO_LIMIT) ? Long.MAX_VALUE : Long.parseLong(text);
    } catch (IOException | NumberFormatException e) {
      return Long.MAX_VALUE;
    }
  }
}
