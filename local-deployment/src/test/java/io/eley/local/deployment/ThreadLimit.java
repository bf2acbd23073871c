package io.eley.local.deployment;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Keeps a running process from getting a further thread, by its user's own limit (ulimit -u). Root
 * has none, and tests run as root in places: there it is a control group, of version 1 or 2.
 */
final class ThreadLimit {
  /** Where groups of processes are made, and the file that says whether they can be there. */
  private static final Map<Path, Path> GROUPS =
      Map.of(
          Path.of("/sys/fs/cgroup/pids"), Path.of("/sys/fs/cgroup/pids/cgroup.procs"),
          Path.of("/sys/fs/cgroup"), Path.of("/sys/fs/cgroup/cgroup.subtree_control"));

  private final Undo undo;

  private interface Undo {
    void run() throws IOException;
  }

  private ThreadLimit(Undo undo) {
    this.undo = undo;
  }

  /** Lets a process keep the threads that it has. Skips the test where that cannot be done. */
  static ThreadLimit on(ProcessHandle process) throws IOException {
    if (process.info().user().filter("root"::equals).isPresent()) {
      return byGroup(process);
    }
    Prlimit.threads(process, "1");
    return new ThreadLimit(() -> Prlimit.threads(process, "unlimited"));
  }

  private static ThreadLimit byGroup(ProcessHandle process) throws IOException {
    Path parent = parent();
    String pid = Long.toString(process.pid());
    Path before = groupOf(pid, parent);
    Path group = Files.createDirectory(parent.resolve("eley-test-" + pid));
    Files.writeString(group.resolve("cgroup.procs"), pid);
    Files.writeString(
        group.resolve("pids.max"), Files.readString(group.resolve("pids.current")).strip());
    // Threads that are just ending are in it still.
    return new ThreadLimit(
        () ->
            await()
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> removed(group, before)));
  }

  /** What it has started while one of its threads was gone is in the group, too, and may stay. */
  private static boolean removed(Path group, Path before) throws IOException {
    for (String member : Files.readAllLines(group.resolve("cgroup.procs"))) {
      Files.writeString(before.resolve("cgroup.procs"), member);
    }
    Files.delete(group);
    return true;
  }

  private static Path parent() throws IOException {
    for (var each : GROUPS.entrySet()) {
      Path proof = each.getValue();
      boolean one = proof.endsWith("cgroup.procs");
      if (Files.isWritable(proof) && (one || Files.readString(proof).contains("pids"))) {
        return each.getKey();
      }
    }
    assumeTrue(false, "root's threads are limited by control groups only, and none can be made");
    throw new AssertionError();
  }

  /** The group that a process is in, by {@code /proc/PID/cgroup}: "8:pids:/a" or "0::/a". */
  private static Path groupOf(String pid, Path parent) throws IOException {
    List<String> lines = Files.readAllLines(Path.of("/proc", pid, "cgroup"));
    String kind = parent.endsWith("pids") ? ":pids:/" : "0::/";
    String found = lines.stream().filter(line -> line.contains(kind)).findFirst().orElseThrow();
    return parent.resolve(found.substring(found.indexOf(kind) + kind.length()));
  }

  /** Lets it have threads again. */
  void lift() throws IOException {
    undo.run();
  }
}
