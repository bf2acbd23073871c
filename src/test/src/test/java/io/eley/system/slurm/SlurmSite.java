package io.eley.system.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.system.tutorials.SparkScripts;
import io.eley.workloads.ApplicationJar;
import io.eley.workloads.RandomTextWriter;
import io.eley.workloads.Workload;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/**
 * A site with a real Slurm, set up as sites do: slurmctld runs as slurm, munge says who somebody
 * is, users do not see each other's jobs, and homes are closed. There are an origin with text,
 * Spark and Eley installed, and two ordinary users.
 */
@Tag("slurm")
abstract class SlurmSite {
  /** Two ordinary users that every Debian has. */
  static final User NOBODY = new User("nobody", "65534");

  static final User GAMES = new User("games", "5");

  /** Whom slurmctld and its hooks run as. */
  static final User SLURM = new User("slurm", "slurm");

  record User(String name, String id) {}

  /** Jobs that have a {@code /tmp} of their own see it, too. */
  private static final Path PLACE = Path.of("/var/tmp");

  static final String PRIVATE = "PrivateData=accounts,events,jobs,reservations,usage,users";

  private static final Pattern DIGEST = Pattern.compile("\"digest\"\\s*:\\s*\"([^\"]+)\"");

  /** Spark, Eley, the workloads and their input: made once for all classes, only read by tests. */
  @SuppressWarnings("NullAway.Init") // by install(), before any test
  static Path site;

  /** Of WordCount's result, by a Spark that knows neither Eley nor Slurm. */
  private static @Nullable String digest;

  Path base;
  Path origin;
  SlurmCluster slurm;

  /** Classes run beside each other: the one that comes first installs, the others wait for it. */
  @BeforeAll
  static synchronized void install() throws Exception {
    SlurmCluster.assumeThere();
    if (digest == null) {
      installOnce();
    }
  }

  private static void installOnce() throws Exception {
    site = open(Files.createTempDirectory(PLACE, "eley-site-"));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(site)));
    spark(site.resolve("spark"));
    unpack(site.resolve("eley"));
    // As a site does: each of some hundred JVMs is there sooner.
    run(site.resolve("eley/bin/make-class-archive").toString());
    Files.copy(
        ApplicationJar.of(Workload.class, site.resolve("jar")), site.resolve("workloads.jar"));
    RandomTextWriter.write(
        new RandomTextWriter.Plan(site.resolve("in"), 4, 8 << 20, 7), 2, bytes -> {});
    writeWordCount();
    run("chmod", "-R", "a+rX", site.toString());
    digest = localDigest();
  }

  private static String localDigest() throws Exception {
    Path conf = Files.createDirectory(site.resolve("conf"));
    Files.createFile(conf.resolve("spark-defaults.conf"));
    Path output = site.resolve("local.txt");
    Path home = site.resolve("spark");
    var spark =
        new ProcessBuilder(
                wordCount(), "file://" + site.resolve("in"), "file://" + site.resolve("counts"))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    spark
        .environment()
        .putAll(
            Map.of(
                "SPARK_HOME",
                home.toString(),
                "SPARK_CONF_DIR",
                conf.toString(),
                "SPARK_OPTIONS",
                "--master local[2]",
                "PATH",
                home.resolve("bin") + ":" + System.getenv("PATH")));
    // Masters, workers and drivers of all jobs begin with what this one has loaded.
    spark.environment().putAll(SparkScripts.archiving(home));
    assertThat(spark.start().waitFor()).as(output.toString()).isZero();
    return digests(Files.readString(output)).get(0);
  }

  private static List<String> digests(String output) {
    return DIGEST.matcher(output).results().map(m -> m.group(1)).toList();
  }

  /** One result, byte-identical to what Spark makes of the input by itself. */
  static void sameDigest(String output) {
    assertThat(digests(output)).as(output).containsExactly(digest);
  }

  private static void remove(Path directory) {
    try {
      delete(directory);
    } catch (IOException e) {
      System.err.println("left behind: " + directory + ": " + e);
    }
  }

  @BeforeEach
  void start() throws Exception {
    base = open(Files.createTempDirectory(PLACE, "eley-slurm-"));
    origin = open(Files.createDirectory(base.resolve("pfs")));
    run("cp", "-r", site.resolve("in").toString(), origin.toString());
    run("chmod", "-R", "a+rwX", origin.toString());
    for (User user : List.of(NOBODY, GAMES)) {
      Path home = Files.createDirectory(home(user));
      run("chmod", "700", home.toString());
      run("chown", user.id + ":" + user.id, home.toString());
    }
    slurm = cluster(open(Files.createDirectory(base.resolve("s"))));
  }

  @AfterEach
  void stop() throws Exception {
    if (slurm != null) {
      slurm.close();
    }
    delete(base);
  }

  private static void delete(Path directory) throws IOException {
    if (directory != null) {
      try (Stream<Path> all = Files.walk(directory)) {
        all.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
      }
    }
  }

  Path home(User user) {
    return base.resolve("home-" + user.name);
  }

  Path jobs(User user) {
    return home(user).resolve(".eley/jobs");
  }

  static Path open(Path directory) throws IOException {
    return Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  static void run(String... command) throws Exception {
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }

  /** An installation as Spark's own, readable by everybody. */
  static void spark(Path home) throws Exception {
    spark(home, "spark-4.2");
  }

  /** The same with the jars of another module of {@code ior-workloads}. */
  static void spark(Path home, String module) throws Exception {
    Path root = Path.of(System.getProperty("eley.root"), "ior-workloads");
    Path jars = Files.createDirectories(home.resolve("jars"));
    String classPath =
        Files.readString(root.resolve(module).resolve("target/spark.classpath")).strip();
    for (String jar : classPath.split(File.pathSeparator, -1)) {
      Files.copy(Path.of(jar), jars.resolve(Path.of(jar).getFileName().toString()));
    }
    SparkScripts.write(home);
  }

  static void script(Path file, String text) throws IOException {
    SparkScripts.script(file, text);
  }

  /** Runs a command as an ordinary user. */
  String as(User user, String... command) throws Exception {
    return as(slurm, user, command);
  }

  String as(SlurmCluster cluster, User user, String... command) throws Exception {
    var whole =
        new ArrayList<>(
            List.of("setpriv", "--reuid=" + user.id, "--regid=" + user.id, "--clear-groups"));
    whole.addAll(List.of(command));
    return cluster.run(
        Map.of(
            "HOME", home(user).toString(),
            "SPARK_HOME", site.resolve("spark").toString(),
            // Jobs last for seconds: coordinators and nodes, too, are over before the second
            // compiler has paid.
            "ELEY_JAVA_OPTS", "-XX:TieredStopAtLevel=1"),
        whole.toArray(String[]::new));
  }

  String eley() {
    return site.resolve("eley/bin/eley").toString();
  }

  /** What `mvn package` made, unpacked where everybody may read it, as on a cluster. */
  static void unpack(Path directory) throws Exception {
    Path target = Path.of(System.getProperty("eley.root"), "deploy", "target");
    try (Stream<Path> files = Files.list(target)) {
      Path archive =
          files
              .filter(f -> f.toString().endsWith(".tar.gz") && !f.toString().contains("-demo"))
              .findFirst()
              .orElseThrow();
      Files.createDirectory(directory);
      run("tar", "-xzf", archive.toString(), "-C", directory.toString(), "--strip-components=1");
    }
  }

  boolean over(long job) throws Exception {
    return slurm.isOver(job);
  }

  static List<String> leftOnTheRamDisk(long job) throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/dev/shm"))) {
      return all.map(p -> p.getFileName().toString())
          .filter(n -> n.startsWith("eley-" + job + "-") || n.startsWith("eley-" + (job + 1) + "-"))
          .toList();
    }
  }

  static List<String> processesOf(Path directory) {
    return ProcessHandle.allProcesses()
        .flatMap(p -> p.info().commandLine().stream())
        .filter(c -> c.contains(directory.toString()) && c.contains("java "))
        .toList();
  }

  /** A script; its arguments are what the input is read by, and the output's name. */
  static String wordCount() {
    return site.resolve("wordcount.sh").toString();
  }

  private static void writeWordCount() throws IOException {
    script(
        Path.of(wordCount()),
        """
        #!/bin/bash
        exec spark-submit ${SPARK_OPTIONS:-} --conf "spark.executor.extraJavaOptions=%s" \\
          --class %s %s "$1" "$2" 2 --partition-bytes=%d
        """
            .formatted(
                SparkScripts.QUICK_START,
                Workload.WORD_COUNT.mainClass(),
                site.resolve("workloads.jar"),
                2 << 20));
  }

  /** Six nodes, where users do not see each other's jobs; a subclass may want something else. */
  SlurmCluster cluster(Path directory) throws Exception {
    Files.copy(site.resolve("eley/slurm/job_submit.lua"), directory.resolve("job_submit.lua"));
    return SlurmCluster.ofSite(
        directory, 6, PRIVATE, "Licenses=pfs_bw:100", "JobSubmitPlugins=lua", "WaitTime=5");
  }
}
