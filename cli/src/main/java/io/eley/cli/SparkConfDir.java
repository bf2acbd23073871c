package io.eley.cli;

import io.eley.bb.api.origin.TreeDeletion;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * A directory for {@code SPARK_CONF_DIR}: what the user or the site has configured, and Eley's
 * settings added to it. Nobody else can read it; it goes when it is closed.
 */
final class SparkConfDir implements AutoCloseable {
  /** Where the user's configuration is found when SPARK_CONF_DIR does not say. */
  private static final String CONF = "conf";

  private static final String DEFAULTS = "spark-defaults.conf";

  /** Keys whose values are lists, with what stands between: the user's own stays in it. */
  private static final Map<String, String> LISTS =
      Map.of(
          "spark.plugins", ",",
          "spark.driver.extraClassPath", ":",
          "spark.executor.extraClassPath", ":");

  private final Path directory;

  private SparkConfDir(Path directory) {
    this.directory = directory;
  }

  /** The configuration that Spark would take with this environment, if it has one. */
  static Optional<Path> ofUser(Map<String, String> environment) {
    String named = environment.getOrDefault("SPARK_CONF_DIR", "");
    String home = environment.getOrDefault("SPARK_HOME", "");
    Path own = named.isBlank() ? Path.of(home).resolve(CONF) : Path.of(named);
    return (named.isBlank() && home.isBlank()) || !Files.isDirectory(own)
        ? Optional.empty()
        : Optional.of(own);
  }

  /**
   * Makes one. Blocks.
   *
   * @param parent where it is made
   * @param own what is copied into it
   * @param settings are added
   */
  static SparkConfDir make(Path parent, Optional<Path> own, Map<String, String> settings)
      throws IOException {
    var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    var made = new SparkConfDir(Files.createTempDirectory(parent, "spark-conf-", mode));
    try {
      if (own.isPresent()) {
        made.copy(own.get());
      }
      made.add(settings);
      return made;
    } catch (IOException e) {
      made.close(); // there may be passwords in what was copied
      throw e;
    }
  }

  /**
   * Copies what this user may read, as a job's script does; what he may not, Spark could not.
   *
   * @throws IOException when that is all of it, or the defaults: Spark would ignore them silently
   */
  private void copy(Path own) throws IOException {
    Files.walkFileTree(
        own,
        EnumSet.of(FileVisitOption.FOLLOW_LINKS),
        Integer.MAX_VALUE,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path from, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectories(copyOf(from));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (Files.isReadable(file) || file.equals(own.resolve(DEFAULTS))) {
              Files.copy(file, copyOf(file));
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (file.equals(own) || file.equals(own.resolve(DEFAULTS))) {
              throw e;
            }
            return FileVisitResult.CONTINUE; // may not be listed, or leads back to where it is
          }

          private Path copyOf(Path from) {
            return directory.resolve(own.relativize(from).toString());
          }
        });
  }

  /** At the file's end: of lines with one key Spark takes the last. */
  private void add(Map<String, String> settings) throws IOException {
    Path file = directory.resolve(DEFAULTS);
    var own = new Properties();
    String before = "";
    if (Files.exists(file)) {
      try (Reader reader = Files.newBufferedReader(file)) {
        own.load(reader);
      }
      before = Files.readString(file);
      Files.delete(file); // it may be the site's, which this user may not write
    }
    var text = new StringBuilder(before);
    joined(own, settings).forEach((k, v) -> text.append('\n').append(k).append(' ').append(v));
    Files.writeString(file, text.append('\n'));
  }

  private static Map<String, String> joined(Properties own, Map<String, String> settings) {
    var all = new LinkedHashMap<>(settings);
    LISTS.forEach(
        (key, between) -> {
          String there = own.getProperty(key, "").strip();
          if (!there.isEmpty()) {
            all.computeIfPresent(key, (k, ours) -> ours + between + there);
          }
        });
    return all;
  }

  Path directory() {
    return directory;
  }

  @Override
  public void close() throws IOException {
    TreeDeletion.delete(directory);
  }
}
