package io.eley.bb.api.process;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The command line of a JVM, as {@link ProcessBuilder} takes it: one word an element, so that
 * nothing needs quoting. Immutable; each method gives a command line that has more. Starts nothing
 * and looks at no file.
 *
 * @param java the {@code java} to run
 * @param options of the JVM, in their order
 * @param classPath its entries, a {@code *} being Java's own; empty leaves the choice to the JVM
 */
public record JavaCommand(Path java, List<String> options, List<String> classPath) {
  public JavaCommand {
    options = List.copyOf(options);
    classPath = List.copyOf(classPath);
  }

  /** The {@code java} that this process runs on, with no options and no class path. */
  public static JavaCommand ofThisJvm() {
    return new JavaCommand(
        Path.of(System.getProperty("java.home"), "bin", "java"), List.of(), List.of());
  }

  /**
   * With a bound to its heap.
   *
   * @param size as {@code -Xmx} takes it, for example {@code 512m}
   */
  public JavaCommand heap(String size) {
    return options(List.of("-Xmx" + size));
  }

  /** With a serial collector: the fewest threads, for processes that wait or share few cores. */
  public JavaCommand serialCollector() {
    return options(List.of("-XX:+UseSerialGC"));
  }

  /** With one compiler, the quick one: for processes that compute little and should be up soon. */
  public JavaCommand quickStart() {
    return options(List.of("-XX:TieredStopAtLevel=1"));
  }

  /** With further options of the JVM, behind those that it has. */
  public JavaCommand options(List<String> more) {
    return new JavaCommand(java, joined(options, more), classPath);
  }

  /** With a system property. */
  public JavaCommand property(String name, String value) {
    return options(List.of("-D" + name + "=" + value));
  }

  /** With further entries of the class path, behind those that it has. */
  public JavaCommand classPath(List<String> more) {
    return new JavaCommand(java, options, joined(classPath, more));
  }

  /** With the class path of this process. */
  public JavaCommand classPathOfThisJvm() {
    return classPath(List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1)));
  }

  /**
   * The whole command line.
   *
   * @param mainClass the class whose main method runs
   * @param arguments handed to it, each as it is
   */
  public List<String> run(String mainClass, List<String> arguments) {
    var command = new ArrayList<String>();
    command.add(java.toString());
    command.addAll(options);
    if (!classPath.isEmpty()) {
      command.add("-cp");
      command.add(String.join(File.pathSeparator, classPath));
    }
    command.add(mainClass);
    command.addAll(arguments);
    return List.copyOf(command);
  }

  private static List<String> joined(List<String> some, List<String> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }
}
