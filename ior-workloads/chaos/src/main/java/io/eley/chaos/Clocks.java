package io.eley.chaos;

import io.eley.local.deployment.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Wall clocks that can be set while a process runs: libfaketime stands between each process and the
 * system's, and looks into a file of that process. Monotonic time, timed waits and the times of
 * files stay the system's.
 *
 * <p>Closed when the processes have ended: libfaketime shares memory among a process's children,
 * and does not remove that of a process that was killed.
 *
 * <p>Safe for several threads.
 */
final class Clocks implements AutoCloseable {
  private static final List<String> PLACES =
      List.of(
          "/usr/lib/x86_64-linux-gnu",
          "/usr/lib/aarch64-linux-gnu",
          "/usr/lib64",
          "/usr/lib",
          "/usr/local/lib");

  private static final Path SHELL = Path.of("/bin/bash");

  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  /** What libfaketime makes there, before the number of a process. */
  private static final List<String> LEFT = List.of("faketime_shm_", "sem.faketime_sem_");

  private final Path directory;
  private final Path library;
  private final AtomicInteger nodes = new AtomicInteger();

  private Clocks(Path directory, Path library) {
    this.directory = directory;
    this.library = library;
  }

  /** Clocks with their files in this directory; empty where there is no libfaketime. */
  static Optional<Clocks> in(Path directory) throws IOException {
    Optional<Path> library = library();
    if (library.isEmpty()) {
      return Optional.empty();
    }
    Files.createDirectory(directory);
    return Optional.of(new Clocks(directory, library.get()));
  }

  private static Optional<Path> library() {
    return Files.isExecutable(SHELL)
        ? PLACES.stream()
            .map(place -> Path.of(place, "faketime", "libfaketimeMT.so.1"))
            .filter(Files::isReadable)
            .findFirst()
        : Optional.empty();
  }

  /** Starts the coordinator, and each node in its turn, with a clock of its own. */
  Program around(Program usual) {
    return (verb, heap, arguments) -> {
      String process =
          verb.equals(Patient.COORDINATOR) ? verb : Patient.NODE + nodes.incrementAndGet();
      var words = new ArrayList<>(usual.command(verb, heap, arguments));
      try {
        words.set(0, starter(process, words.get(0)).toString());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return words;
    };
  }

  /**
   * Sets a process's clock ahead of the system's, or behind it; at once, also while it runs.
   *
   * <p>One at a time: two faults may set the clock of one process at once, and both write beside it
   * first.
   *
   * @param process by its name in the deployment
   */
  synchronized void set(String process, long seconds) throws IOException {
    Path fresh = directory.resolve(process + ".new");
    Files.writeString(fresh, (seconds < 0 ? "" : "+") + seconds);
    Files.move(fresh, clock(process), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Where each process writes its number, a line each. */
  private Path numbers() {
    return directory.resolve("numbers");
  }

  /** Removes what libfaketime has left of processes that were killed. */
  @Override
  public void close() throws IOException {
    remove(numbers(), SHARED_MEMORY);
  }

  /**
   * Removes what is left of these processes.
   *
   * @param numbers a file with a number a line; none when it is missing
   */
  static void remove(Path numbers, Path sharedMemory) throws IOException {
    if (!Files.exists(numbers)) {
      return;
    }
    for (String number : Files.readAllLines(numbers)) {
      for (String left : LEFT) {
        Files.deleteIfExists(sharedMemory.resolve(left + number.strip()));
      }
    }
  }

  private Path clock(String process) {
    return directory.resolve(process + ".clock");
  }

  /**
   * What is started instead of {@code java}. It becomes that and keeps its own name, by which the
   * deployment knows its processes again.
   */
  private Path starter(String process, String java) throws IOException {
    set(process, 0);
    Path starter = directory.resolve(process);
    Files.writeString(
        starter,
        String.join(
            "\n",
            "#!" + SHELL,
            "export LD_PRELOAD='" + library + "' FAKETIME_TIMESTAMP_FILE='" + clock(process) + "'",
            "export FAKETIME_NO_CACHE=1 NO_FAKE_STAT=1",
            "# Without these timed waits of the JVM end at once.",
            "export FAKETIME_DONT_FAKE_MONOTONIC=1 FAKETIME_FORCE_MONOTONIC_FIX=0",
            "echo $$ >> '" + numbers() + "'",
            "exec -a \"$0\" '" + java + "' \"$@\"",
            ""));
    Files.setPosixFilePermissions(starter, PosixFilePermissions.fromString("rwx------"));
    return starter;
  }
}
