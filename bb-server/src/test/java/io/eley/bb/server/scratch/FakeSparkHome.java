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
 * A directory that looks like a Spark, with {@link ExternalShuffleService} of these tests in it.
 */
public final class FakeSparkHome {
  private FakeSparkHome() {}

  public static Path create(Path directory) throws IOException {
    Path jars = Files.createDirectories(directory.resolve("jars"));
    String name = ExternalShuffleService.class.getName().replace('.', '/') + ".class";
    try (InputStream in = ExternalShuffleService.class.getClassLoader().getResourceAsStream(name);
        var jar = new JarOutputStream(Files.newOutputStream(jars.resolve("service.jar")))) {
      jar.putNextEntry(new JarEntry(name));
      Objects.requireNonNull(in).transferTo(jar);
    }
    return directory;
  }
}
