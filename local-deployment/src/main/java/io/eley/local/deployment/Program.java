package io.eley.local.deployment;

import io.eley.bb.api.process.JavaCommand;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * How a process of a deployment is started: a port, because only the command line knows its verbs.
 */
@FunctionalInterface
public interface Program {
  /**
   * The command of one process.
   *
   * @param verb {@code coordinator} or {@code node}
   * @param heapMebibytes how large its heap may become
   * @param arguments of the verb
   */
  List<String> command(String verb, int heapMebibytes, List<String> arguments);

  /**
   * What goes before the command of a process and becomes it, such as a command that enters a mount
   * namespace; nothing by default.
   *
   * @param process {@code coordinator}, {@code node-1} …
   */
  default List<String> entry(String process) {
    return List.of();
  }

  /** The same program, whose processes enter something before they start. */
  default Program entering(Function<String, List<String>> entry) {
    var plain = this;
    return new Program() {
      @Override
      public List<String> command(String verb, int heapMebibytes, List<String> arguments) {
        return plain.command(verb, heapMebibytes, arguments);
      }

      @Override
      public List<String> entry(String process) {
        return entry.apply(process);
      }
    };
  }

  /**
   * A class with a main method, run by this JVM's {@code java} with this JVM's class path. These
   * processes mostly wait: a serial collector needs the fewest threads.
   *
   * @param mainClass takes the verb and its arguments
   */
  static Program ofThisJvm(String mainClass) {
    return (verb, heapMebibytes, arguments) ->
        JavaCommand.ofThisJvm()
            .heap(heapMebibytes + "m")
            .serialCollector()
            // Out of heap a process would limp; one that ends is started again. Out of threads it
            // says so itself, once; the JVM would print two lines for each that it cannot start.
            .options(List.of("-Xshare:auto", "-XX:+ExitOnOutOfMemoryError", "-Xlog:os+thread=off"))
            .classPathOfThisJvm()
            .run(mainClass, Stream.concat(Stream.of(verb), arguments.stream()).toList());
  }
}
