package io.eley.laboratory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Saves the logs of an experiment that failed, before its directory is deleted. */
public final class LogKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(LogKeeper.class);
  private static final long LARGEST = 8L << 20;

  private LogKeeper() {}

  /** Copies {@code *.log} and Spark's {@code stderr} files; nothing that holds a secret. */
  public static void keep(Path from, Path to) {
    try (var walk = Files.walk(from)) {
      for (var log : walk.filter(LogKeeper::isLog).toList()) {
        Path target = to.resolve(from.relativize(log).toString());
        Files.createDirectories(target.getParent());
        Files.copy(log, target, StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException | java.io.UncheckedIOException e) {
      LOG.warn("cannot keep the logs: {}", e.toString());
    }
  }

  private static boolean isLog(Path file) {
    String name = file.getFileName().toString();
    try {
      return (name.endsWith(".log") || name.equals("stderr"))
          && Files.isRegularFile(file)
          && Files.size(file) <= LARGEST;
    } catch (IOException e) {
      return false;
    }
  }
}
