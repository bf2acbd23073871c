package io.eley.system.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.ReadCause;
import io.eley.prefetcher.control.PhaseEntry;
import io.eley.system.origin.GatewaySite.Way;
import io.eley.system.pfs.Testbed;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The case of Cumulus on BlobSeer: an S3 gateway over a parallel file system, clients that upload
 * and download, CM1-like writers on the same servers, and an analysis of what they have just
 * written; by the gateway alone, and through Eley over the gateway, to which the writers' phases
 * are announced.
 *
 * <p>A real OrangeFS, S3Proxy on a mount of its own, the real IOR. A short share runs wherever
 * there is a testbed and asserts bytes, holds and counts; {@code -Deley.test.gateway=60} measures
 * with up to 60 clients.
 */
@Tag("slow")
@Tag("spark")
@Timeout(1700)
class GatewayCaseTest {
  private static final int PROCESSES = 8;

  /** Of a file of the writers; objects of clients have half of it. */
  private static final int MEBIBYTES = Integer.getInteger("eley.test.mib", 8);

  /** Steps that count of each run: those before make the JVMs warm. */
  private static final int STEPS = Integer.getInteger("eley.test.steps", 5);

  /** What the analysis takes over a MiB. */
  private static final int MILLIS = Integer.getInteger("eley.test.millis", 300);

  private static final Duration COMPUTING =
      Duration.ofSeconds(Integer.getInteger("eley.test.pause", 7));

  private static final int REPETITIONS = Integer.getInteger("eley.test.repetitions", 2);

  /** Words of {@code eley start}, for what is tried. */
  private static final List<String> SETTINGS =
      Stream.of(System.getProperty("eley.test.settings", "").split(" ", -1))
          .filter(word -> !word.isEmpty())
          .toList();

  @TempDir static Path directory;

  @SuppressWarnings("NullAway.Init") // by up(), before any test
  private static Testbed testbed;

  @TempDir private Path temp;
  private GatewaySite site;

  /** By what was measured, in the order in which it was first. */
  private final Map<String, List<Double>> results = new LinkedHashMap<>();

  @BeforeAll
  static void up() throws Exception {
    testbed = Testbed.up(directory);
    testbed.link("gw");
  }

  @AfterAll
  static void down() throws Exception {
    if (testbed != null) {
      testbed.close();
    }
  }

  @BeforeEach
  void start() throws Exception {
    site = new GatewaySite(testbed, "gw", temp, SETTINGS);
  }

  @AfterEach
  void stop() throws Exception {
    if (site != null) {
      site.stop();
    }
  }

  @Test
  @Timeout(300)
  void bytesAreRightAndAnnouncedPhasesAreHeld() throws Exception {
    var shape = new StepWriters.Shape(PROCESSES, 1, 0, Duration.ofSeconds(2));
    int phases;
    try (var writers = site.writers(Way.ELEY, shape, "short")) {
      var unused = site.analyse(Way.ELEY, writers, "short", 2, 300);
      for (Way way : List.of(Way.GATEWAY, Way.ELEY)) {
        for (int count : List.of(1, 4)) {
          try (var clients = site.clients(way, way + "-" + count, count, 1, 2)) {
            clients.upload();
            clients.download();
            assertThat(clients.objects()).isEqualTo(2 * count);
          }
        }
      }
      writers.stop();
      phases = writers.seconds().size();
    }
    await().atMost(Duration.ofSeconds(20)).until(() -> announced().size() == phases);
    assertThat(announced())
        .extracting(entry -> entry.hold().confirmed())
        .containsOnly(GatewaySite.NODES);
    Map<ReadCause, Long> read = site.spark(Way.ELEY).report().originBytes();
    System.out.printf("%d phases were held; nodes read %s%n", phases, read);
    assertThat(read.get(ReadCause.PREFETCH)).isPositive();
  }

  private List<PhaseEntry> announced() throws Exception {
    return site.ledger(Way.ELEY).stream().filter(e -> e.application().equals("cm1")).toList();
  }

  @Test
  @EnabledIfSystemProperty(named = "eley.test.gateway", matches = "\\d+")
  void theAnalysisBesideTheWriters() throws Exception {
    testbed.link("n");
    site.startMounted("n", SETTINGS);
    var ways = new ArrayList<>(List.of(Way.values()));
    for (int run = 1; run <= REPETITIONS; run++) {
      for (Way way : ways) {
        analysis(way, run);
      }
      Collections.rotate(ways, 1);
    }
    tell(Way.ELEY, Way.MOUNTED);
  }

  private void analysis(Way way, int run) throws Exception {
    var shape = new StepWriters.Shape(PROCESSES, MEBIBYTES, STEPS + 2, COMPUTING);
    String name = way + "-" + run;
    try (var writers = site.writers(way, shape, name)) {
      List<Double> steps =
          way == Way.ALONE ? List.of() : site.analyse(way, writers, name, STEPS + 1, MILLIS);
      writers.await();
      // A step is read while the next one is written.
      add(name, way + ", phases", writers.seconds().subList(2, STEPS + 2));
      add(
          name,
          way + ", analysis of a step",
          steps.subList(Math.min(1, steps.size()), steps.size()));
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "eley.test.gateway", matches = "\\d+")
  void clientsUpAndDownBesideTheWriters() throws Exception {
    int most = Integer.getInteger("eley.test.gateway");
    var ways = new ArrayList<>(List.of(Way.GATEWAY, Way.ELEY));
    for (int run = 1; run <= REPETITIONS; run++) {
      for (int count : IntStream.of(1, 4, 15, most).filter(n -> n <= most).distinct().toArray()) {
        for (Way way : ways) {
          upAndDown(way, count, run);
        }
        Collections.rotate(ways, 1);
      }
      Collections.rotate(ways, 1);
    }
    tell(Way.ELEY);
  }

  private void upAndDown(Way way, int count, int run) throws Exception {
    var shape = new StepWriters.Shape(PROCESSES, MEBIBYTES, 0, COMPUTING);
    String name = way + "-" + count + "-" + run;
    // As many objects of each as make some seconds.
    int rounds = Math.max(1, Math.min(16, 30 / count));
    try (var clients = site.clients(way, "up-" + name, count, MEBIBYTES / 2, rounds);
        var writers = site.writers(way, shape, name)) {
      await().atMost(Duration.ofMinutes(1)).until(() -> writers.seconds().size() == 1);
      double mebibytes = (double) rounds * count * MEBIBYTES / 2;
      var up = clients.upload();
      add(name, way + " " + count + " up, an object", up.each());
      add(name, way + " " + count + " up, MiB/s of all", List.of(mebibytes / up.all()));
      var down = clients.download();
      add(name, way + " " + count + " down, an object", down.each());
      add(name, way + " " + count + " down, MiB/s of all", List.of(mebibytes / down.all()));
      assertThat(clients.objects()).isEqualTo(rounds * count);
      writers.stop();
      List<Double> phases = writers.seconds();
      add(name, way + " " + count + " beside, phases", phases.subList(1, phases.size()));
    }
  }

  private void add(String run, String what, List<Double> values) {
    results.computeIfAbsent(what, w -> new ArrayList<>()).addAll(values);
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    System.out.printf(Locale.ROOT, "%s: %s: %s; load %.1f%n", run, what, spread(values), load);
  }

  /** Everything together, and what Eley wrote down. */
  private void tell(Way... eley) throws Exception {
    results.forEach((what, values) -> System.out.printf("all: %s: %s%n", what, spread(values)));
    for (Way way : eley) {
      System.out.printf("%s: nodes read %s%n", way, site.spark(way).report().originBytes());
      for (PhaseEntry entry : site.ledger(way)) {
        System.out.printf(
            Locale.ROOT,
            "%s: %s of %s, %.1f s, confirmed by %d of %d, ours %s%n",
            way,
            entry.application(),
            entry.source(),
            entry.length().toMillis() / 1e3,
            entry.hold().confirmed(),
            entry.hold().nodes(),
            entry.ourBytes());
      }
    }
  }

  /** Median, and from where to where. */
  private static String spread(List<Double> values) {
    if (values.isEmpty()) {
      return "none";
    }
    var sorted = values.stream().sorted().toList();
    int n = sorted.size();
    return String.format(
        Locale.ROOT,
        "median %.2f, %.2f to %.2f (%d)",
        (sorted.get((n - 1) / 2) + sorted.get(n / 2)) / 2,
        sorted.get(0),
        sorted.get(n - 1),
        n);
  }
}
