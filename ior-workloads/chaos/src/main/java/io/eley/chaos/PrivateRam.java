package io.eley.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A small file system in RAM of the experiment's own, so that filling it harms nobody else. Only
 * root can mount one; elsewhere it is a plain directory.
 */
final class PrivateRam implements AutoCloseable {
  /** Room for the nodes' blocks and little more. */
  private static final String SIZE = "size=40m,mode=0700";

  private final Path directory;
  private final boolean mounted;

  private PrivateRam(Path directory, boolean mounted) {
    this.directory = directory;
    this.mounted = mounted;
  }

  /** Makes the directory, and mounts it where that is possible. */
  static PrivateRam create(Path directory) throws IOException {
    Files.createDirectory(directory);
    String path = directory.toString();
    return new PrivateRam(
        directory, SystemCommand.succeeds("mount", "-t", "tmpfs", "-o", SIZE, "eley-chaos", path));
  }

  Path directory() {
    return directory;
  }

  /** Whether it has a size of its own, so that it can be filled. */
  boolean mounted() {
    return mounted;
  }

  /** Unmounts it, whoever may still have a file of it open. */
  @Override
  public void close() throws IOException {
    String path = directory.toString();
    if (mounted
        && !SystemCommand.succeeds("umount", path)
        && !SystemCommand.succeeds("umount", "--lazy", path)) {
      throw new IOException("cannot unmount " + path);
    }
  }
}
