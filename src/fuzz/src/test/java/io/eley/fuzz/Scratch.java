package io.eley.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A private directory on the RAM-disk for targets whose parser reads files; one a process. */
public final class Scratch {
  private static final Path DIRECTORY = make();

  private Scratch() {}

  /** The directory, mode 0700. */
  public static Path directory() {
    return DIRECTORY;
  }

  /** A file of mode 0600 with these bytes, in place of what was there. */
  public static Path file(String name, byte[] bytes) throws IOException {
    Path file = DIRECTORY.resolve(name);
    if (!Files.exists(file)) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    return Files.write(file, bytes);
  }

  private static Path make() {
    try {
      Path ram = Path.of("/dev/shm");
      Path made =
          Files.isWritable(ram)
              ? Files.createTempDirectory(ram, "eley-fuzz-")
              : Files.createTempDirectory("eley-fuzz-");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(made)));
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path directory) {
    try (var all = Files.walk(directory)) {
      all.sorted(java.util.Comparator.reverseOrder()).forEach(p -> p.toFile().delete());
    } catch (IOException e) {
      System.err.println("cannot remove " + directory + ": " + e);
    }
  }
}
