package io.eley.system.spark;

import io.eley.bb.api.process.JavaCommand;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A client of Spark Connect in a JVM of its own, with nothing of Eley on its class path. */
public final class ConnectQueries {
  private static final Path ROOT = Path.of(System.getProperty("eley.root"));
  private static final Path PROGRAMS = ROOT.resolve("spark-connector/target/test-classes");
  private static final String CLIENT = "io.eley.spark.connector.features.ConnectClient";

  private ConnectQueries() {}

  /** What it has printed, and how it has ended. */
  public record Answer(int status, List<String> lines, String errors) {}

  /**
   * Asks a server for lines, length and hash of texts. Blocks until the client has ended.
   *
   * @param scratch where its output may be written
   * @param environment beside this JVM's
   * @param inputs URIs, as the server reads them
   */
  public static Answer ask(
      Path scratch, String server, Map<String, String> environment, String... inputs)
      throws IOException, InterruptedException {
    var arguments = new ArrayList<>(List.of(server));
    arguments.addAll(List.of(inputs));
    var java =
        JavaCommand.ofThisJvm()
            .heap("512m")
            .quickStart()
            .options(List.of("--add-opens=java.base/java.nio=ALL-UNNAMED"))
            .classPath(
                List.of(
                    Files.readString(classPath("spark-connect-client-4.2"))
                        .split(File.pathSeparator, -1)))
            .classPath(List.of(PROGRAMS.toString()));
    Path output = Files.createTempFile(scratch, "client", ".out");
    Path errors = Files.createTempFile(scratch, "client", ".err");
    var builder =
        new ProcessBuilder(java.run(CLIENT, arguments))
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile());
    builder.environment().putAll(environment);
    Process client = builder.start();
    try {
      int status = client.waitFor();
      return new Answer(
          status,
          Files.readAllLines(output).stream().filter(line -> line.startsWith("answer ")).toList(),
          Files.readString(errors));
    } finally {
      client.destroyForcibly();
    }
  }

  /** The file that has the class path of a module of {@code ior-workloads}. */
  public static Path classPath(String module) {
    return ROOT.resolve("ior-workloads").resolve(module).resolve("target/spark.classpath");
  }
}
