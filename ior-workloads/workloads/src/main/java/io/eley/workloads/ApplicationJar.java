package io.eley.workloads;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/**
 * The jar that a class of ours comes from. Spark ships jars to executors, not directories, so
 * classes that run from a build directory are packed first.
 */
public final class ApplicationJar {
  private ApplicationJar() {}

  /**
   * Finds or makes the jar.
   *
   * @param sample any class of the module
   * @param directory where a jar is made when the class does not come from one
   * @throws EleyException {@code UNAVAILABLE} when it cannot be made
   */
  public static Path of(Class<?> sample, Path directory) throws EleyException {
    try {
      Path source = Path.of(sample.getProtectionDomain().getCodeSource().getLocation().toURI());
      if (Files.isRegularFile(source)) {
        return source;
      }
      Files.createDirectories(directory);
      Path jar = directory.resolve(sample.getSimpleName() + "-classes.jar");
      pack(source, jar);
      return jar;
    } catch (IOException | URISyntaxException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "cannot make the jar of " + sample.getName() + ": " + e, e);
    }
  }

  private static void pack(Path classes, Path jar) throws IOException {
    List<Path> files;
    try (var walk = Files.walk(classes)) {
      files = walk.filter(Files::isRegularFile).sorted().toList();
    }
    try (var out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (Path file : files) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString().replace('\\', '/')));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
  }
}
