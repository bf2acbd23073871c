package io.eley.bb.server.scratch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.apache.spark.deploy.ExternalShuffleService;

/**
 * A directory that looks like a Spark with its own Hadoop, and {@link ExternalShuffleService} of
 * these tests in it.
 */
public final class FakeSparkHome {
  private FakeSparkHome() {}

  public static Path create(Path directory) throws IOException {
    Path jars = Files.createDirectories(directory.resolve("jars"));
    makeService(jars.resolve("service.jar"));
    new JarOutputStream(Files.newOutputStream(jars.resolve("hadoop-client-api-3.4.1.jar"))).close();
    return directory;
  }

  /** A Spark without Hadoop, where that of the site is needed: the service is beside it. */
  static Path createWithoutHadoop(Path directory, Path service) throws IOException {
    Files.createDirectories(directory.resolve("jars"));
    makeService(service);
    return directory;
  }

  private static void makeService(Path place) throws IOException {
    String name = ExternalShuffleService.class.getName().replace('.', '/') + ".class";
    try (InputStream in = ExternalShuffleService.class.getClassLoader().getResourceAsStream(name);
        var jar = new JarOutputStream(Files.newOutputStream(place))) {
      jar.putNextEntry(new JarEntry(name));
      Objects.requireNonNull(in).transferTo(jar);
    }
  }
}
