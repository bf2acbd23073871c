package io.eley.local.deployment;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * {@link RealProcesses} that take all of their heap once a file tells them to. They load the
 * classes that lie in directories before they begin: from a jar, where a deployment's are, the JVM
 * loads them without a further descriptor.
 */
final class HungryProcesses {
  private HungryProcesses() {}

  /** The file that makes a coordinator or a node hungry. */
  static Path order(Path directory, String verb) {
    return directory.resolve("eat-" + verb);
  }

  /** Takes the verb, the directory of the orders, and then what the verb takes. */
  public static void main(String[] arguments) throws Exception {
    loadClasses();
    Path order = order(Path.of(arguments[1]), arguments[0]);
    var eater = new Thread(() -> eatWhenTold(order));
    eater.setDaemon(true);
    eater.start();
    var rest = new ArrayList<>(List.of(arguments));
    rest.remove(1);
    RealProcesses.main(rest.toArray(String[]::new));
  }

  static void loadClasses() throws IOException {
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (Files.isDirectory(Path.of(entry))) {
        try (Stream<Path> classes = Files.walk(Path.of(entry))) {
          classes
              .map(file -> Path.of(entry).relativize(file).toString())
              .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
              .forEach(HungryProcesses::load);
        }
      }
    }
  }

  private static void load(String file) {
    String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
    try {
      var unused = Class.forName(name, false, HungryProcesses.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      // It is of a test, and needs what is not on this class path.
    }
  }

  private static void eatWhenTold(Path order) {
    var eaten = new ArrayList<byte[]>();
    try {
      // The order is for one process; the one that deletes it has taken it.
      while (!Files.deleteIfExists(order)) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
      while (true) {
        eaten.add(new byte[1 << 20]);
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException("nobody told to eat, had " + eaten.size(), e);
    }
  }
}
