package io.eley.system.tutorials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.workloads.ApplicationJar;
import io.eley.workloads.LinkedSparkHome;
import io.eley.workloads.RandomTextWriter;
import io.eley.workloads.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The tutorials of those who have a machine and no Slurm, by one user in one shell a page. */
@Tag("spark")
@Tag("system")
@Timeout(400)
class TutorialsByHandTest {
  private static final Path ROOT = Path.of(System.getProperty("eley.root"));

  /** These only look: what they show may take a while to come. */
  private static final String LOOKS = "eley (status|why|ledger).*";

  @TempDir private Path temp;

  /** What the pages call places, and where these are. */
  private final Map<String, String> places = new LinkedHashMap<>();

  private Path origin;
  private Path home;

  @BeforeEach
  void aMachine() throws Exception {
    origin = Files.createDirectory(temp.resolve("pfs"));
    home = Files.createDirectory(temp.resolve("home"));
    RandomTextWriter.write(
        new RandomTextWriter.Plan(origin.resolve("in"), 4, 8 << 20, 7), 2, bytes -> {});
    Path spark = temp.resolve("spark");
    LinkedSparkHome.create(spark, ROOT.resolve("ior-workloads/spark-4.2/target/spark.classpath"));
    SparkScripts.write(spark);
    places.put("/mnt/pfs", origin.toString());
    places.put("/mnt/counters", temp.resolve("counters").toString());
    places.put("/shared/spark", spark.toString());
    places.put(
        "/shared/workloads.jar", ApplicationJar.of(Workload.class, temp.resolve("jar")).toString());
    try (var files = Files.list(ROOT.resolve("deploy/target"))) {
      Path archive =
          files
              .filter(f -> f.toString().endsWith(".tar.gz") && !f.toString().contains("-demo"))
              .findFirst()
              .orElseThrow();
      Files.createSymbolicLink(home.resolve(archive.getFileName()), archive.toAbsolutePath());
    }
  }

  /** Nothing stays, however the page ended. */
  @AfterEach
  void stop() throws Exception {
    if (Files.exists(home.resolve("eley/bin/eley"))) {
      try (var terminal = open()) {
        terminal.run("~/eley/bin/eley stop");
      }
    }
  }

  private Terminal open() throws IOException {
    return new Terminal(
        List.of(), home.toFile(), Map.of("HOME", home.toString(), "SPARK_LOCAL_IP", "127.0.0.1"));
  }

  private void type(Terminal terminal, Tutorial tutorial, Tutorial.Step step) throws Exception {
    String command = tutorial.command(step);
    String here = command;
    for (var place : places.entrySet()) {
      here = here.replace(place.getKey(), place.getValue());
    }
    var shown = new StringBuilder();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(45);
    boolean matches;
    do {
      var lines = terminal.run(here).stream().map(this::onThePage).toList();
      shown.append("$ ").append(command).append('\n').append(String.join("\n", lines)).append('\n');
      matches = tutorial.matches(step, lines);
    } while (!matches && command.matches(LOOKS) && System.nanoTime() < deadline);
    System.out.println(shown);
    assertThat(matches).as("%s", shown).isTrue();
  }

  private String onThePage(String line) {
    String translated = line;
    for (var place : places.entrySet()) {
      translated = translated.replace(place.getValue(), place.getKey());
    }
    return translated;
  }

  private void follow(String page) throws Exception {
    var tutorial = new Tutorial(ROOT.resolve("docs/tutorials").resolve(page));
    assertThat(tutorial.steps()).isNotEmpty();
    try (var terminal = open()) {
      for (Tutorial.Step step : tutorial.steps()) {
        type(terminal, tutorial, step);
      }
    }
  }

  @Test
  void theFirstQuarterOfAnHour() throws Exception {
    follow("first-quarter.md");
    assertThat(origin.resolve("counts/_SUCCESS")).exists();
  }

  /** A file of counters that grows by 40 MB a second stands for somebody who writes. */
  @Test
  void aSiteWithCounters() throws Exception {
    try (var terminal = open()) {
      terminal.run("mkdir eley; tar -xzf eley-*.tar.gz -C eley --strip-components=1");
    }
    ScheduledExecutorService somebody = Executors.newSingleThreadScheduledExecutor();
    try {
      var bytes = new AtomicLong();
      var writes =
          somebody.scheduleAtFixedRate(
              () -> count(bytes.addAndGet(4_000_000)), 0, 100, TimeUnit.MILLISECONDS);
      await().until(() -> Files.exists(temp.resolve("counters")));
      follow("file-system.md");
      assertThat(writes.isDone()).as("it has failed").isFalse();
    } finally {
      somebody.shutdownNow();
      assertThat(somebody.awaitTermination(45, TimeUnit.SECONDS)).isTrue();
    }
  }

  private void count(long bytes) {
    try {
      Path next = Files.writeString(temp.resolve("counters.next"), "server " + bytes + "\n");
      Files.move(next, temp.resolve("counters"), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
