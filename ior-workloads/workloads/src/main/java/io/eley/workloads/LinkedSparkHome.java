package io.eley.workloads;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.process.JavaCommand;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What Spark's own scripts and workers take for an installation: a directory whose {@code jars/}
 * holds symbolic links to the jars that Maven resolved. Costs nothing and is deleted with its
 * directory.
 *
 * @param directory the home
 * @param version of Spark, for example 4.2.0
 */
public record LinkedSparkHome(Path directory, String version) {
  private static final String COLLECTOR = "-XX:+UseSerialGC";
  private static final String NO_COUNTERS = "-XX:-UsePerfData";
  private static final Pattern CORE = Pattern.compile("spark-core_(2\\.\\d+)-(\\d[\\w.]*)\\.jar");

  /**
   * Packages that Spark opens by reflection, as its launcher lists them (JavaModuleOptions in Spark
   * 3.5 and 4.2): needed by whoever starts its classes without its scripts.
   */
  private static final List<String> OPENED =
      List.of(
          "java.base/java.lang",
          "java.base/java.lang.invoke",
          "java.base/java.lang.reflect",
          "java.base/java.io",
          "java.base/java.net",
          "java.base/java.nio",
          "java.base/java.util",
          "java.base/java.util.concurrent",
          "java.base/java.util.concurrent.atomic",
          "java.base/jdk.internal.ref",
          "java.base/sun.nio.ch",
          "java.base/sun.nio.cs",
          "java.base/sun.security.action",
          "java.base/sun.util.calendar",
          "java.security.jgss/sun.security.krb5");

  /**
   * Makes a home.
   *
   * @param directory made when it does not exist; links that are there already stay
   * @param source one line, entries separated as in a class path, as the build writes it to {@code
   *     ior-workloads/spark-4.2/target/spark.classpath}; or the directory of an installed Spark's
   *     jars
   * @throws EleyException {@code NOT_FOUND} when the file or a jar is missing or it is not Spark's
   */
  public static LinkedSparkHome create(Path directory, Path source) throws EleyException {
    return create(directory, source, jar -> true);
  }

  /**
   * Makes a home as that of Spark's "without Hadoop": in place of Hadoop's client in one shaded jar
   * its processes have the jars of a site behind their own ({@code SPARK_DIST_CLASSPATH}).
   *
   * @param hadoop the class path of those jars
   * @throws EleyException as {@link #create}
   */
  public static LinkedSparkHome createBesideHadoop(Path directory, Path source, Path hadoop)
      throws EleyException {
    var home = create(directory, source, jar -> !name(jar).startsWith("hadoop-client-"));
    try {
      linkAll(home.hadoop(), jars(hadoop));
      return home;
    } catch (IOException e) {
      throw missing(hadoop, e);
    }
  }

  private static LinkedSparkHome create(Path directory, Path source, Predicate<Path> wanted)
      throws EleyException {
    try {
      List<Path> jars = jars(source).stream().filter(wanted).toList();
      linkAll(directory.resolve("jars"), jars);
      String version = "";
      for (Path jar : jars) {
        var core = CORE.matcher(name(jar));
        if (core.matches()) {
          version = core.group(2);
        }
      }
      if (version.isEmpty()) {
        throw new EleyException(ErrorCode.NOT_FOUND, source + " is not the class path of a Spark");
      }
      return new LinkedSparkHome(directory, version);
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw missing(source, e);
    }
  }

  private static EleyException missing(Path source, IOException e) {
    return new EleyException(
        ErrorCode.NOT_FOUND,
        "cannot make a Spark home from "
            + source
            + " ("
            + e.getClass().getSimpleName()
            + " "
            + e.getMessage()
            + "); build the project first",
        e);
  }

  /**
   * Runs one of Spark's classes on this JVM that computes little: a master, a worker or a driver,
   * which start more quickly with one compiler.
   *
   * @param heap as {@code -Xmx} takes it
   * @param extraClassPath put behind Spark's jars
   */
  public JavaCommand java(String heap, List<Path> extraClassPath) {
    return spark(
        JavaCommand.ofThisJvm().heap(heap).quickStart().options(executorOptions()), extraClassPath);
  }

  /**
   * The same for a JVM that computes, and that archives its classes on its way out; or begins with
   * those that another has archived.
   */
  JavaCommand archivingJava(String heap) {
    boolean there = Files.exists(classData());
    String archive = (there ? "-XX:SharedArchiveFile=" : "-XX:ArchiveClassesAtExit=") + classData();
    var options = List.of(NO_COUNTERS, archive);
    return spark(JavaCommand.ofThisJvm().heap(heap).serialCollector().options(options), List.of());
  }

  /**
   * What executors start with. One task at a time on one core: a collector with threads of its own
   * would only be in its way. With a class-data archive, should one have been made, a start costs
   * about two thirds.
   */
  List<String> executorOptions() {
    return Files.exists(classData())
        ? List.of(COLLECTOR, NO_COUNTERS, "-XX:SharedArchiveFile=" + classData())
        : List.of(COLLECTOR, NO_COUNTERS);
  }

  /**
   * The same as one setting ({@code spark.executor.extraJavaOptions}), with one compiler: for
   * executors that compute for a moment and have to be there soon.
   */
  public String quickExecutorOptions() {
    return "-XX:TieredStopAtLevel=1 " + String.join(" ", executorOptions());
  }

  /** Holds the classes of Spark as the JVM has them in memory (java(1), Class Data Sharing). */
  private Path classData() {
    return directory.resolve("spark.jsa");
  }

  /** Jars of Hadoop beside Spark's own; not there where Spark's bring it. */
  private Path hadoop() {
    return directory.resolve("hadoop");
  }

  private List<String> hadoopClassPath() {
    return Files.exists(hadoop()) ? List.of(hadoop() + "/*") : List.of();
  }

  private JavaCommand spark(JavaCommand jvm, List<Path> extraClassPath) {
    return jvm.options(OPENED.stream().map(o -> "--add-opens=" + o + "=ALL-UNNAMED").toList())
        .property("jdk.reflect.useDirectMethodHandle", "false")
        .property("io.netty.tryReflectionSetAccessible", "true")
        .classPath(classPath(extraClassPath));
  }

  /** Begins as Spark's own launcher has it for executors: an archive is valid for one beginning. */
  private List<String> classPath(List<Path> extra) {
    var classPath = new ArrayList<String>();
    classPath.add(directory.resolve("conf").toString());
    Path jars = directory.resolve("jars");
    String[] first = jars.toFile().list((parent, name) -> name.startsWith("slf4j-api-"));
    for (String name : first == null ? new String[0] : first) {
      classPath.add(jars.resolve(name).toString());
    }
    classPath.add(jars + "/*");
    classPath.addAll(hadoopClassPath());
    extra.forEach(entry -> classPath.add(entry.toString()));
    return classPath;
  }

  /**
   * The environment of one of Spark's processes, and of those that it starts.
   *
   * @param host loopback address it binds to and is known by
   * @param local directory for shuffle files and spills
   * @param temporary directory for what its JVM unpacks: an executor is often killed, and then it
   *     stays there. Libraries are loaded from it, as they cannot be from many a RAM-disk
   */
  Map<String, String> environment(String host, Path local, Path temporary) {
    return Map.of(
        "SPARK_HOME",
        directory.toString(),
        "SPARK_SCALA_VERSION",
        "2.13",
        "SPARK_LOCAL_IP",
        host,
        "SPARK_LOCAL_HOSTNAME",
        host,
        "SPARK_PUBLIC_DNS",
        host,
        "SPARK_LOCAL_DIRS",
        local.toString(),
        // Workers start executors with it.
        "SPARK_DIST_CLASSPATH",
        String.join(File.pathSeparator, hadoopClassPath()),
        "JDK_JAVA_OPTIONS",
        "\"-Djava.io.tmpdir=" + temporary.toAbsolutePath() + "\"");
  }

  private static List<Path> jars(Path source) throws IOException {
    if (Files.isDirectory(source)) {
      try (var files = Files.list(source)) {
        return files
            .filter(file -> file.getFileName().toString().endsWith(".jar"))
            .map(Path::toAbsolutePath)
            .sorted()
            .toList();
      }
    }
    String line = Files.readString(source).strip();
    return Arrays.stream(line.split(File.pathSeparator, -1))
        .map(entry -> Path.of(entry).toAbsolutePath())
        .toList();
  }

  private static String name(Path jar) {
    return jar.getFileName().toString();
  }

  private static void linkAll(Path directory, List<Path> jars) throws IOException {
    Files.createDirectories(directory);
    for (Path jar : jars) {
      if (!Files.exists(jar)) {
        throw new NoSuchFileException(jar.toString());
      }
      link(directory.resolve(name(jar)), jar);
    }
  }

  private static void link(Path link, Path target) throws IOException {
    try {
      Files.createSymbolicLink(link, target);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isSymbolicLink(link)) {
        throw e;
      }
      // A run before this one made it.
    }
  }
}
