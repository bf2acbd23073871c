package io.eley.experiments;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * An installed Alluxio 2.9.
 *
 * @param servers class path of its master and worker
 * @param clientJars jars of its client
 */
record AlluxioPrograms(String servers, List<Path> clientJars) {
  /** A site without one. */
  static final AlluxioPrograms NONE = new AlluxioPrograms("", List.of());

  AlluxioPrograms {
    clientJars = List.copyOf(clientJars);
  }

  /**
   * What was typed.
   *
   * @param client jars, or directories of jars, separated by colons
   * @throws IllegalArgumentException when only one is given, or there is no such place
   */
  static AlluxioPrograms of(String servers, String client) {
    if (servers.isEmpty() && client.isEmpty()) {
      return NONE;
    }
    if (servers.isEmpty() || client.isEmpty()) {
      throw new IllegalArgumentException(
          "--alluxio-servers and --alluxio-client go with each other");
    }
    var jars = new ArrayList<Path>();
    for (String place : client.split(File.pathSeparator, -1)) {
      Path path = Path.of(place.endsWith("/*") ? place.substring(0, place.length() - 2) : place);
      if (place.isBlank() || !Files.isReadable(path)) {
        throw new IllegalArgumentException("--alluxio-client: there is no '" + place + "'");
      }
      if (Files.isDirectory(path)) {
        try (var files = Files.newDirectoryStream(path, "*.jar")) {
          files.forEach(jar -> jars.add(jar.toAbsolutePath()));
        } catch (IOException e) {
          throw new IllegalArgumentException("--alluxio-client: cannot list '" + place + "'", e);
        }
      } else {
        jars.add(path.toAbsolutePath());
      }
    }
    return new AlluxioPrograms(servers, jars);
  }

  boolean present() {
    return !servers.isEmpty();
  }
}
