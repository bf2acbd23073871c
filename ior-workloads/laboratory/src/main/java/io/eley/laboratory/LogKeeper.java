package io.eley.laboratory;

import io.eley.bb.api.error.EleyException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Saves the logs of what failed, before its directory is deleted. */
public final class LogKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(LogKeeper.class);
  private static final long LARGEST = 8L << 20;

  private LogKeeper() {}

  /** Copies {@code *.log} and Spark's {@code stderr} files; nothing that holds a secret. */
  public static void keep(Path from, Path to) {
    copied(from, to);
  }

  /**
   * Does so because of an error.
   *
   * @return the error to throw, which names the logs as they are kept
   */
  public static EleyException keep(EleyException failure, Path from, Path to) {
    String said = String.valueOf(failure.getMessage());
    String message = said;
    for (var log : copied(from, to).entrySet()) {
      message = message.replace(log.getKey().toString(), log.getValue().toString());
    }
    return message.equals(said) ? failure : new EleyException(failure.code(), message, failure);
  }

  private static Map<Path, Path> copied(Path from, Path to) {
    var copies = new Copies(from, to);
    try {
      Files.walkFileTree(from, copies);
    } catch (IOException e) {
      LOG.warn("cannot keep the logs: {}", e.toString());
    }
    return copies.made;
  }

  /** Processes may still run, and what they delete meanwhile is no error. */
  private static final class Copies extends SimpleFileVisitor<Path> {
    private final Path from;
    private final Path to;
    private final Map<Path, Path> made = new LinkedHashMap<>();

    Copies(Path from, Path to) {
      this.from = from;
      this.to = to;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      if (isLog(file, attributes)) {
        Path copy = to.resolve(from.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
        made.put(file, copy);
      }
      return FileVisitResult.CONTINUE;
    }

    private static boolean isLog(Path file, BasicFileAttributes attributes) {
      String name = file.getFileName().toString();
      return (name.endsWith(".log") || name.equals("stderr"))
          && attributes.isRegularFile()
          && attributes.size() <= LARGEST;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) {
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) {
      return FileVisitResult.CONTINUE;
    }
  }
}
