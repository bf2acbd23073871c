package io.eley.cli.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * The pid of a process that we started, with its start time: a pid alone may have been given to
 * somebody else since, and that process must never be ended by us.
 *
 * @param file {@code NAME.pid}
 */
public record PidFile(Path file) {
  static final String SUFFIX = ".pid";

  public String process() {
    String name = file.getFileName().toString();
    return name.substring(0, name.length() - SUFFIX.length());
  }

  public void write(ProcessHandle process) throws IOException {
    Files.writeString(file, process.pid() + " " + startMillis(process));
  }

  /** The process, if it still runs and is the one that was started. */
  public Optional<ProcessHandle> running() {
    try {
      String text = Files.readString(file).strip();
      int space = text.indexOf(' ');
      long started = Long.parseLong(text.substring(space + 1));
      return ProcessHandle.of(Long.parseLong(text.substring(0, space)))
          .filter(p -> startMillis(p) == started && p.isAlive());
    } catch (IOException | NumberFormatException | StringIndexOutOfBoundsException e) {
      // No file, or not one of ours: there is nothing that we may touch.
      return Optional.empty();
    }
  }

  public void delete() throws IOException {
    Files.deleteIfExists(file);
  }

  private static long startMillis(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }
}
