package io.eley.local.deployment;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts a verb of this same command as a process of its own, with this JVM's {@code java} and
 * class path.
 *
 * @param name name of its log and pid files
 * @param jvmFlags for example {@code -Xmx256m}
 * @param arguments the verb and its options
 * @param detached whether it outlives this process and its terminal session (setsid(1), where there
 *     is one); otherwise it ends when this process does, however that ends
 */
record JavaProcess(String name, List<String> jvmFlags, List<String> arguments, boolean detached) {
  private static final Path SETSID = Path.of("/usr/bin/setsid");

  /**
   * Flags of a process that mostly waits: little memory, and no more compiler threads than it
   * needs.
   */
  static List<String> smallHeap(int mebibytes) {
    return List.of("-Xmx" + mebibytes + "m", "-XX:+UseSerialGC", "-Xshare:auto");
  }

  Process start(DeploymentDirectory deployment) throws EleyException {
    var command = new ArrayList<String>();
    if (detached && Files.isExecutable(SETSID)) {
      command.add(SETSID.toString());
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmFlags);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add("io.eley.cli.Main");
    command.addAll(arguments);
    Path log = deployment.log(name);
    var builder = new ProcessBuilder(command);
    if (!detached) {
      builder
          .environment()
          .put(LocalDeployment.PARENT, Long.toString(ProcessHandle.current().pid()));
    }
    try {
      Process process =
          builder
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.to(log.toFile()))
              .start();
      deployment.pidFile(name).write(process.toHandle());
      return process;
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "cannot start " + name + ": " + e.getMessage(), e);
    }
  }
}
