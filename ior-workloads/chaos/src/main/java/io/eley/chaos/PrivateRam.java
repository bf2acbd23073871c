package io.eley.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A small file system in RAM of the experiment's own, so that filling it harms nobody else. Only
 * root can mount one.
 */
final class PrivateRam implements AutoCloseable {
  /** Room for the nodes' blocks and little more. */
  private static final String SIZE = "size=40m,mode=0700";

  private final Path directory;

  private PrivateRam(Path directory) {
    this.directory = directory;
  }

  /** Mounts it on an empty directory; empty where that is not possible. */
  static Optional<PrivateRam> mount(Path directory) throws IOException, InterruptedException {
    Files.createDirectory(directory);
    return run("mount", "-t", "tmpfs", "-o", SIZE, "eley-chaos", directory.toString())
        ? Optional.of(new PrivateRam(directory))
        : Optional.empty();
  }

  private static boolean run(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false; // there is no such command here
    }
  }

  @Override
  public void close() throws IOException {
    try {
      if (!run("umount", directory.toString())) {
        throw new IOException("cannot unmount " + directory);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted before " + directory + " was unmounted", e);
    }
  }
}
