package io.eley.bb.api.edge;

import java.io.IOException;
import java.nio.file.Path;

/** Prints a private file, or why it is not read: for a process of another user. */
final class ReadOwnMain {
  private ReadOwnMain() {}

  public static void main(String[] arguments) {
    System.out.println(read(Path.of(arguments[0])));
  }

  static String read(Path file) {
    try {
      return OwnPaths.readPrivate(file);
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
