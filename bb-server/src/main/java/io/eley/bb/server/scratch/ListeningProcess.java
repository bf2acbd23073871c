package io.eley.bb.server.scratch;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whether it is a certain process that listens at a port, and not another one that was quicker: by
 * what Linux tells of a process's sockets, see proc(5).
 */
final class ListeningProcess {
  private static final Path PROCESSES = Path.of("/proc");
  private static final Path OURS = PROCESSES.resolve("self/fd");

  /** The kernel's {@code TCP_LISTEN}. */
  private static final String LISTEN = "0A";

  // Columns of /proc/PID/net/tcp and tcp6.
  private static final int LOCAL = 1;
  private static final int STATE = 3;
  private static final int INODE = 9;

  private ListeningProcess() {}

  /**
   * Whether the process listens there, at any address. One that has ended, or is about to, does
   * not, though its parent may not have been told yet.
   *
   * @return empty where Linux does not say: there is none, or this user may not know
   */
  static Optional<Boolean> listens(long pid, int port) {
    Path process = PROCESSES.resolve(Long.toString(pid));
    try {
      var sockets = new ArrayList<>(lines(process.resolve("net/tcp")));
      sockets.addAll(lines(process.resolve("net/tcp6")));
      return Optional.of(isAmong(listening(sockets, port), process.resolve("fd")));
    } catch (AccessDeniedException e) {
      return Optional.empty();
    } catch (IOException | DirectoryIteratorException e) {
      return Files.exists(OURS) ? Optional.of(false) : Optional.empty();
    }
  }

  /** What the sockets are called that listen at that port, as descriptors' links have it. */
  static Set<String> listening(List<String> sockets, int port) {
    String ending = String.format(Locale.ROOT, ":%04X", port);
    return sockets.stream()
        .map(line -> line.strip().split("\\s+"))
        .filter(columns -> columns.length > INODE)
        .filter(columns -> columns[LOCAL].endsWith(ending) && columns[STATE].equals(LISTEN))
        .map(columns -> "socket:[" + columns[INODE] + "]")
        .collect(Collectors.toSet());
  }

  /** None where there is no such file, as tcp6 on a host without IPv6. */
  private static List<String> lines(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private static boolean isAmong(Set<String> sockets, Path descriptors) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(descriptors)) {
      for (Path descriptor : all) {
        if (sockets.contains(target(descriptor))) {
          return true;
        }
      }
    }
    return false;
  }

  private static String target(Path descriptor) throws IOException {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (NoSuchFileException e) {
      return ""; // closed since it was listed
    }
  }
}
