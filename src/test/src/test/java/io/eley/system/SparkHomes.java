package io.eley.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.error.EleyException;
import io.eley.workloads.ApplicationJar;
import io.eley.workloads.LinkedSparkHome;
import io.eley.workloads.SparkApplication;
import io.eley.workloads.SparkSubmission;
import io.eley.workloads.TableScan;
import io.eley.workloads.Workload;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/**
 * Sparks of several versions with Eley's connector and the programs of its tests among their jars.
 *
 * <p>This build's tests share the newest. So the class paths of all its processes begin alike, and
 * its classes are archived as a JVM has them in memory (java(1), Class Data Sharing): a driver or
 * an executor that computes little takes half of the processor's time, and tests start hundreds.
 */
public final class SparkHomes {
  public static final String NEWEST = "4.2";

  private static final Path ROOT = Path.of(System.getProperty("eley.root"));
  private static final Path PROGRAMS = ROOT.resolve("spark-connector/target/test-classes");

  private SparkHomes() {}

  /** The class path of a version's jars, in a file of one line. */
  public static Path classPath(String version) {
    return ROOT.resolve("ior-workloads/spark-" + version + "/target/spark.classpath");
  }

  /**
   * The home of a version.
   *
   * @param own where it is made, unless it is the one that all share
   */
  public static LinkedSparkHome of(String version, Path own) throws Exception {
    return version.equals(NEWEST) ? newest() : create(own, classPath(version));
  }

  /** Makes a home of a class path of one's own. */
  public static LinkedSparkHome create(Path directory, Path classPath) throws Exception {
    LinkedSparkHome home = LinkedSparkHome.create(directory, classPath);
    Path jars = directory.resolve("jars");
    Files.createSymbolicLink(jars.resolve("eley.jar"), Deployments.connectorJar());
    packPrograms(jars.resolve("eley-programs.jar"));
    return home;
  }

  /**
   * The home of the newest. The first caller of a build makes it, which takes half a minute; others
   * wait, in other processes, too.
   */
  public static synchronized LinkedSparkHome newest() throws Exception {
    Path directory = Files.createDirectories(ROOT.resolve("src/test/target/spark"));
    try (var lock =
            FileChannel.open(
                directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var held = lock.lock()) {
      assertThat(held.isValid()).isTrue();
      Path home = directory.resolve("home-" + stamp());
      Path made = home.resolve("made");
      if (!Files.exists(made)) {
        deleteHomes(directory);
        make(home);
        Files.createFile(made);
      }
      return LinkedSparkHome.create(home, classPath(NEWEST));
    }
  }

  /** Another one for each build: an archive is valid for the jars that it was made of alone. */
  private static String stamp() throws IOException {
    long stamp = Files.getLastModifiedTime(Deployments.connectorJar()).toMillis();
    stamp = 31 * stamp + Files.readString(classPath(NEWEST)).hashCode();
    stamp = 31 * stamp + Runtime.version().toString().hashCode();
    try (var programs = Files.walk(PROGRAMS)) {
      for (Path each : programs.sorted().toList()) {
        stamp = 31 * stamp + Files.getLastModifiedTime(each).toMillis();
      }
    }
    return Long.toHexString(stamp);
  }

  private static void make(Path home) throws Exception {
    LinkedSparkHome linked = create(home, classPath(NEWEST));
    Path own = home.resolve("made-by");
    var application =
        new SparkApplication(
            TableScan.class.getName(),
            ApplicationJar.of(Workload.class, own.resolve("jar")),
            List.of("parquet", "file://" + own + "/table", "sum(c1)", "1000", "4", "1"),
            Map.of("spark.plugins", "io.eley.spark.connector.plan.EleyPlugin"),
            List.of(),
            Duration.ofMinutes(2));
    var heap = DataSize.parse("1g");
    try (var submission =
        SparkSubmission.startLocal(linked, 2, heap, application, own, (done, total) -> {})) {
      assertThat(submission.await().readBytes()).isPositive();
    } catch (EleyException e) {
      System.err.println("tests of Spark go on without an archive of its classes: " + e);
      Files.deleteIfExists(home.resolve("spark.jsa"));
    }
  }

  /** Without their settings of logging, which are for who runs them alone. */
  private static void packPrograms(Path jar) throws IOException {
    try (var files = Files.walk(PROGRAMS);
        var out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        String name = PROGRAMS.relativize(file).toString();
        if (!name.startsWith("log4j2")) {
          out.putNextEntry(new JarEntry(name));
          Files.copy(file, out);
          out.closeEntry();
        }
      }
    }
  }

  private static void deleteHomes(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        if (!file.equals(directory) && !file.endsWith("lock")) {
          Files.delete(file);
        }
      }
    }
  }
}
