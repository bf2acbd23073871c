package io.eley.system.tutorials;

import io.eley.workloads.ApplicationJar;
import io.eley.workloads.LinkedSparkHome;
import io.eley.workloads.RandomTextWriter;
import io.eley.workloads.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a reader without a Slurm has: a file system with text in it, a Spark, a home with an archive
 * in it, and a shell. Pages name these places by names of their own; here they are below one
 * directory.
 */
final class HandMachine {
  static final Path ROOT = Path.of(System.getProperty("eley.root"));

  /** What the pages call places, and where these are. */
  private final Map<String, String> places = new LinkedHashMap<>();

  private final Path origin;
  private final Path home;

  private HandMachine(Path origin, Path home) {
    this.origin = origin;
    this.home = home;
  }

  static HandMachine in(Path directory) throws Exception {
    var machine =
        new HandMachine(
            Files.createDirectory(directory.resolve("pfs")),
            Files.createDirectory(directory.resolve("home")));
    RandomTextWriter.write(
        new RandomTextWriter.Plan(machine.origin.resolve("in"), 4, 8 << 20, 7), 2, bytes -> {});
    Path spark = directory.resolve("spark");
    LinkedSparkHome.create(spark, ROOT.resolve("ior-workloads/spark-4.2/target/spark.classpath"));
    SparkScripts.write(spark);
    machine.put("/mnt/pfs", machine.origin);
    machine.put("/shared/spark", spark);
    machine.put(
        "/shared/workloads.jar", ApplicationJar.of(Workload.class, directory.resolve("jar")));
    return machine;
  }

  /** Puts the archive of sites, or that with the experiments, into the home. */
  void bring(boolean experiments) throws IOException {
    try (var files = Files.list(ROOT.resolve("deploy/target"))) {
      Path archive =
          files
              .filter(file -> file.toString().endsWith(".tar.gz"))
              .filter(file -> file.toString().contains("-demo") == experiments)
              .findFirst()
              .orElseThrow();
      Files.createSymbolicLink(home.resolve(archive.getFileName()), archive.toAbsolutePath());
    }
  }

  Path origin() {
    return origin;
  }

  Path home() {
    return home;
  }

  void put(String onThePage, Path here) {
    put(onThePage, here.toString());
  }

  void put(String onThePage, String here) {
    places.put(onThePage, here);
  }

  /** A shell in the home. */
  Terminal open() throws IOException {
    return new Terminal(
        List.of(), home.toFile(), Map.of("HOME", home.toString(), "SPARK_LOCAL_IP", "127.0.0.1"));
  }

  String here(String onThePage) {
    String translated = onThePage;
    for (var place : places.entrySet()) {
      translated = translated.replace(place.getKey(), place.getValue());
    }
    return translated;
  }

  String onThePage(String here) {
    String translated = here;
    for (var place : places.entrySet()) {
      translated = translated.replace(place.getValue(), place.getKey());
    }
    return translated;
  }

  /** Ends what still runs, if the page came so far as to unpack the archive. */
  void stop() throws IOException, InterruptedException {
    if (Files.exists(home.resolve("eley/bin/eley"))) {
      try (var terminal = open()) {
        terminal.run("~/eley/bin/eley stop");
      }
    }
  }
}
