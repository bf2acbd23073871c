package io.eley.local.deployment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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
    return (verb, heapMebibytes, arguments) -> {
      var command = new ArrayList<String>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-Xmx" + heapMebibytes + "m", "-XX:+UseSerialGC", "-Xshare:auto"));
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass, verb));
      command.addAll(arguments);
      return command;
    };
  }
}
