package io.eley.experiments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the kernel says of the file system under a path. */
final class FileSystemLine {
  private FileSystemLine() {}

  /** Its type and what is mounted, as proc(5) has them. */
  static String of(Path path) {
    try {
      var store = Files.getFileStore(path);
      return store.type() + ", " + store.name() + ", " + (store.getTotalSpace() >> 20) + " MiB";
    } catch (IOException e) {
      return "unknown";
    }
  }
}
