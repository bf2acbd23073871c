package io.eley.local.deployment;

import io.eley.bb.api.process.JavaCommand;
import java.util.List;
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
            // Out of heap a process would limp; one that ends is started again.
            .options(List.of("-Xshare:auto", "-XX:+ExitOnOutOfMemoryError"))
            .classPathOfThisJvm()
            .run(mainClass, Stream.concat(Stream.of(verb), arguments.stream()).toList());
  }
}
