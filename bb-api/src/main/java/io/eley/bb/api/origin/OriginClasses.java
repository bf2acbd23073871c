package io.eley.bb.api.origin;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Class loaders of adapters that bring libraries of their own: such as Hadoop's clients, which need
 * other versions of what a node's own class path has.
 *
 * <p>An adapter sees the JDK, this API, SLF4J (so that its lines go into the process's log), and
 * what its own class path holds; nothing else of the process, and the process nothing of it.
 */
final class OriginClasses {
  private OriginClasses() {}

  /** What adapters share with the process. */
  private static final class Shared extends ClassLoader {
    private final ClassLoader process;

    Shared(ClassLoader process) {
      super(ClassLoader.getPlatformClassLoader());
      this.process = process;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (name.startsWith("io.eley.bb.api.") || name.startsWith("org.slf4j.")) {
        return process.loadClass(name);
      }
      throw new ClassNotFoundException(name);
    }
  }

  /**
   * A loader of this class path.
   *
   * @param classPath see {@link io.eley.bb.api.config.OriginKeys#CLASS_PATH}; not empty
   * @throws EleyException {@code NOT_FOUND} when one of its entries is not there
   */
  static ClassLoader loader(String classPath) throws EleyException {
    var urls = new ArrayList<URL>();
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      if (!entry.isEmpty()) {
        for (Path each : expanded(entry)) {
          urls.add(url(each));
        }
      }
    }
    return new URLClassLoader(
        Origins.APART, urls.toArray(URL[]::new), new Shared(OriginClasses.class.getClassLoader()));
  }

  private static List<Path> expanded(String entry) throws EleyException {
    boolean all = entry.endsWith("/*");
    Path path = Path.of(all ? entry.substring(0, entry.length() - 2) : entry);
    if (!(all ? Files.isDirectory(path) : Files.isReadable(path))) {
      throw new EleyException(
          ErrorCode.NOT_FOUND, "there is no " + path + ", which the origin's class path names");
    }
    if (!all) {
      return List.of(path);
    }
    try (Stream<Path> files = Files.list(path)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.ACCESS_DENIED, "cannot list " + path + " of the origin's class path", e);
    }
  }

  private static URL url(Path path) throws EleyException {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new EleyException(ErrorCode.NOT_FOUND, "no place of classes: " + path, e);
    }
  }
}
