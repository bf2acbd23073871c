package io.eley.system.origin;

import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/** A store as a process of its own, and what clients need to know of it. */
public final class StoreProcess implements AutoCloseable {
  static final Path ROOT = Path.of(System.getProperty("eley.root")).toAbsolutePath();

  private final Process process;
  private final Configuration client;

  private StoreProcess(Process process, Configuration client) {
    this.process = process;
    this.client = client;
  }

  /** HDFS, a name node and a data node. */
  public static StoreProcess hdfs(Path directory) throws Exception {
    return start(
        directory,
        written ->
            List.of(
                "org.apache.hadoop.test.MiniDFSClusterManager",
                "-format",
                "-datanodes",
                "1",
                "-D",
                "hdfs.minidfs.basedir=" + directory.resolve("hdfs"),
                "-writeConfig",
                written));
  }

  /** An S3 server that checks signatures, with one bucket, {@code bucket}. */
  public static StoreProcess s3(Path directory) throws Exception {
    return start(
        directory,
        written ->
            List.of("io.eley.origin.hadoop.MiniS3", directory.resolve("s3").toString(), written));
  }

  /**
   * The same as a gateway over a mount of a parallel file system, whose files are its objects:
   * below {@code bucket} of the mount.
   */
  static StoreProcess gateway(Path directory, Path mount) throws Exception {
    return start(
        directory,
        written -> List.of("io.eley.origin.hadoop.MiniS3", mount.toString(), written, "mount"));
  }

  private interface Words {
    List<String> of(String written);
  }

  private static StoreProcess start(Path directory, Words main) throws Exception {
    Path written = directory.resolve("written.xml");
    String classes = Files.readString(ROOT.resolve("origin-hadoop/target/servers.classpath"));
    Path work = Files.createDirectories(directory.resolve("work"));
    // Its clients keep there, too, what they are about to write, whoever they are.
    Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwxrwxrwx"));
    var words =
        new ArrayList<>(
            List.of(
                java(),
                "-Xmx400m",
                "-XX:+UseSerialGC",
                // It is killed, and would leave there what its web servers have unpacked.
                "-Djava.io.tmpdir=" + work,
                "-cp",
                ROOT.resolve("origin-hadoop/target/test-classes")
                    + ":"
                    + ROOT.resolve("origin-hadoop/target/classes")
                    + ":"
                    + classes));
    words.addAll(main.of(written.toString()));
    Process process =
        new ProcessBuilder(words)
            .directory(work.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("server.log").toFile())
            .start();
    try {
      await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> !process.isAlive() || (Files.exists(written) && complete(written)));
      if (!process.isAlive()) {
        throw new AssertionError(Files.readString(directory.resolve("server.log")));
      }
      var client = new Configuration(false);
      client.addResource(new org.apache.hadoop.fs.Path(written.toUri()));
      return new StoreProcess(process, client);
    } catch (Exception e) {
      process.destroyForcibly();
      throw e;
    }
  }

  private static boolean complete(Path conf) throws Exception {
    return Files.readString(conf).strip().endsWith("</configuration>");
  }

  /** What its clients have in their configuration. */
  public Configuration client() {
    return client;
  }

  /** The Hadoop's jars of this JVM's class path, for {@code --origin-classpath}. */
  static String hadoopJars() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(
            entry -> entry.matches(".*/(hadoop-client-(api|runtime)|commons-logging)-[^/]*\\.jar"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Jars that S3A takes beside Spark's: {@code hadoop-aws}, the SDK and what that needs. */
  public static List<Path> s3aJars() throws IOException {
    String servers = Files.readString(ROOT.resolve("origin-hadoop/target/servers.classpath"));
    return Arrays.stream(servers.strip().split(File.pathSeparator, -1))
        .filter(
            jar ->
                jar.matches(
                    ".*/(software/amazon|org/reactivestreams|org/apache/httpcomponents"
                        + "|hadoop-aws)/.*"))
        .map(Path::of)
        .toList();
  }

  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      boolean unused = process.waitFor(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
