package io.eley.engine.alluxio;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Loads the site's Alluxio client beside our own classes: it brings libraries that we have in other
 * versions (Netty, logging). Only the port, the JDK and the logging interface are common to both.
 */
final class ApartLoader extends URLClassLoader {
  private static final String APART = "io.eley.engine.alluxio.client.";
  private static final String CLIENT = APART + "AlluxioClient";
  private static final List<String> SHARED =
      List.of("io.eley.engine.alluxio.", "io.eley.bb.api.", "org.slf4j.");

  private ApartLoader(List<URL> jars) {
    super(jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  /**
   * Connects to a cluster. Blocks for seconds when nobody answers.
   *
   * @param classPath jars, or directories of jars, separated as the system separates paths
   * @param master {@code host:port}
   * @throws EleyException {@code NOT_FOUND} when there is no Alluxio client in the class path,
   *     {@code UNAVAILABLE}
   */
  static AlluxioPort connect(String classPath, String master) throws EleyException {
    var loader = new ApartLoader(jars(classPath));
    try {
      Class.forName("alluxio.client.file.FileSystem", false, loader);
      return Class.forName(CLIENT, true, loader)
          .asSubclass(AlluxioPort.class)
          .getConstructor(String.class)
          .newInstance(master);
    } catch (ReflectiveOperationException | LinkageError e) {
      closeQuietly(loader);
      Throwable cause = e.getCause();
      if (cause instanceof RuntimeException && cause.getCause() instanceof EleyException ours) {
        throw ours;
      }
      throw new EleyException(
          ErrorCode.NOT_FOUND, "no client of Alluxio 2.9 in " + classPath + ": " + e, e);
    }
  }

  private static List<URL> jars(String classPath) throws EleyException {
    var jars = new ArrayList<URL>();
    try {
      for (String part : classPath.split(System.getProperty("path.separator"), -1)) {
        addJars(Path.of(part.endsWith("/*") ? part.substring(0, part.length() - 2) : part), jars);
      }
      jars.add(ApartLoader.class.getProtectionDomain().getCodeSource().getLocation());
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.NOT_FOUND, "cannot look at the Alluxio client " + classPath + ": " + e, e);
    }
    return jars;
  }

  private static void addJars(Path part, List<URL> jars) throws IOException {
    if (!Files.isDirectory(part)) {
      jars.add(existing(part));
      return;
    }
    try (DirectoryStream<Path> each = Files.newDirectoryStream(part, "*.jar")) {
      for (Path jar : each) {
        jars.add(existing(jar));
      }
    }
  }

  private static URL existing(Path jar) throws IOException {
    if (!Files.isReadable(jar)) {
      throw new MalformedURLException("no file " + jar + " that can be read");
    }
    return jar.toUri().toURL();
  }

  private static void closeQuietly(URLClassLoader loader) {
    try {
      loader.close();
    } catch (IOException e) {
      // Nothing was written.
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    boolean shared = SHARED.stream().anyMatch(name::startsWith) && !name.startsWith(APART);
    return shared
        ? ApartLoader.class.getClassLoader().loadClass(name)
        : super.loadClass(name, resolve);
  }
}
