package io.eley.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;

/**
 * The user's home directory as the shell has it, which may be another one than the password file
 * says: what the shell calls {@code ~} is the same place to us.
 */
final class Home {
  private Home() {}

  /** {@code $HOME}, or the password file's where that is not set. */
  static Path directory() {
    return directory(System.getenv());
  }

  static Path directory(Map<String, String> environment) {
    String named = environment.getOrDefault("HOME", "");
    return Path.of(named.isBlank() ? System.getProperty("user.home") : named);
  }

  /** A path as it is typed, with a leading {@code ~} that the shell has left ({@code --to=~/x}). */
  static Path path(String typed) {
    return path(typed, directory());
  }

  static Path path(String typed, Path home) {
    try {
      return typed.equals("~")
          ? home
          : typed.startsWith("~/") ? home.resolve(typed.substring(2)) : Path.of(typed);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("no path: '" + typed + "'", e);
    }
  }
}
