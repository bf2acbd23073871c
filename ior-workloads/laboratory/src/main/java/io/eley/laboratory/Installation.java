package io.eley.laboratory;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the pieces are that experiments run, in a build tree or in an unpacked release.
 *
 * @param spark file with Spark's jars as one class path line, or a directory of them
 * @param connectorJar the jar for Spark, with bb-api inside
 * @param workloadsJar the jar with the Spark applications
 * @param emulatedPfsJar the jar by which Spark, too, reads from the emulated PFS
 * @param ownClassPath class path on which an experiment's own processes (emulated PFS, IOR) run
 * @param commit of the project, or null when it is not known
 */
public record Installation(
    Path spark,
    Path connectorJar,
    Path workloadsJar,
    Path emulatedPfsJar,
    List<Path> ownClassPath,
    @Nullable String commit) {
  public Installation {
    ownClassPath = List.copyOf(ownClassPath);
  }

  /** Set by the {@code eley} script. */
  private static final String HOME_PROPERTY = "eley.home";

  /** Root of the source tree or of an unpacked archive. */
  public static Path home() {
    return Path.of(System.getProperty(HOME_PROPERTY, ".")).toAbsolutePath().normalize();
  }

  /** The installation that this process was started from; see {@link #find}. */
  public static Installation ofThisProcess() throws EleyException {
    var classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(Path::of)
            .toList();
    return find(home(), classPath, System.getenv("SPARK_HOME"));
  }

  /**
   * The jars that this process runs on, and Spark as the build resolved it or as it is installed.
   *
   * @param home root of the source tree or of an unpacked archive
   * @param sparkHome the installed Spark, asked for where nothing was built; null without one
   * @throws EleyException {@code NOT_FOUND} when there is no Spark, or naming the first jar that is
   *     not on the class path
   */
  public static Installation find(Path home, List<Path> classPath, @Nullable String sparkHome)
      throws EleyException {
    return new Installation(
        spark(
            home.resolve(Path.of("ior-workloads", "spark-4.2", "target", "spark.classpath")),
            sparkHome),
        jar(classPath, "eley-spark-connector-"),
        jar(classPath, "eley-workloads-"),
        jar(classPath, "eley-emulated-pfs-"),
        classPath,
        commit(home.resolve(".git")));
  }

  private static Path spark(Path built, @Nullable String sparkHome) throws EleyException {
    if (Files.exists(built)) {
      return built;
    }
    if (sparkHome == null || sparkHome.isEmpty()) {
      throw new EleyException(
          ErrorCode.NOT_FOUND,
          "experiments need a Spark: set SPARK_HOME to a Spark 4.2 with Scala 2.13, or run ./eley in"
              + " the source tree");
    }
    return Path.of(sparkHome, "jars");
  }

  private static Path jar(List<Path> classPath, String prefix) throws EleyException {
    for (var entry : classPath) {
      if (entry.getFileName().toString().startsWith(prefix)) {
        return entry;
      }
    }
    throw new EleyException(
        ErrorCode.NOT_FOUND, "no " + prefix + "*.jar on the class path; start through ./eley");
  }

  /** The commit that is checked out, read from git's own files. */
  private static @Nullable String commit(Path git) {
    try {
      String head = Files.readString(git.resolve("HEAD")).strip();
      String hash =
          head.startsWith("ref: ")
              ? Files.readString(git.resolve(head.substring(5))).strip()
              : head;
      return hash.substring(0, 12);
    } catch (IOException | IndexOutOfBoundsException e) {
      return null;
    }
  }

  /**
   * Checks that everything is there.
   *
   * @throws EleyException {@code NOT_FOUND} naming the first piece that is missing
   */
  public void verify() throws EleyException {
    var pieces = new ArrayList<>(List.of(spark, connectorJar, workloadsJar, emulatedPfsJar));
    pieces.addAll(ownClassPath);
    for (var piece : pieces) {
      if (!Files.isReadable(piece)) {
        throw new EleyException(
            ErrorCode.NOT_FOUND, "missing " + piece + "; build the project first (mvn package)");
      }
    }
  }
}
