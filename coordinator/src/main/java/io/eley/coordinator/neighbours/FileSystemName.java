package io.eley.coordinator.neighbours;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** A name for the file system of an origin that is the same on all hosts that mount it. */
public final class FileSystemName {
  private FileSystemName() {}

  /**
   * What is mounted at an origin's path, and its type; for an origin that is no directory here the
   * beginning of its address.
   */
  public static String of(String origin) throws IOException {
    String path = origin.startsWith("file:") ? origin.replaceFirst("^file:/*", "/") : origin;
    if (path.startsWith("/") && Files.isDirectory(Path.of(path))) {
      FileStore store = Files.getFileStore(Path.of(path));
      return plain(store.type() + ":" + store.name());
    }
    return plain(origin.replaceFirst("^([a-z0-9]+://[^/]*).*", "$1"));
  }

  private static String plain(String name) {
    String printable = name.replaceAll("[^\\x21-\\x7e]", "_");
    return printable.isEmpty() ? "_" : printable.substring(0, Math.min(512, printable.length()));
  }
}
