package io.eley.system.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.client.CoordinatorClient;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.coordinator.ledger.LedgerFile;
import io.eley.local.deployment.LocalDeployment;
import io.eley.spark.connector.fs.BbFileSystem;
import io.eley.system.pfs.Testbed;
import io.eley.workloads.StepSums;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
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
  private static final String ALONE = "alone";
  private static final String GATEWAY = "gateway";
  private static final String ELEY = "eley";
  private static final int NODES = 2;
  private static final int SLOTS = 2;
  private static final int PROCESSES = 8;
  private static final Duration LEASE = Duration.ofMinutes(1);

  /** Objects and files, where it is measured. */
  private static final int MEBIBYTES = Integer.getInteger("eley.test.mib", 8);

  /** Steps that are read of each run; the first one only makes the JVMs warm. */
  private static final int STEPS = Integer.getInteger("eley.test.steps", 5);

  /** What the analysis takes over a MiB. */
  private static final int MILLIS = Integer.getInteger("eley.test.millis", 200);

  private static final Duration COMPUTING =
      Duration.ofSeconds(Integer.getInteger("eley.test.pause", 7));

  /** Words of {@code eley start}, for what is tried. */
  private static final List<String> SETTINGS =
      Stream.of(System.getProperty("eley.test.settings", "").split(" ", -1))
          .filter(word -> !word.isEmpty())
          .toList();

  @TempDir static Path directory;

  @SuppressWarnings("NullAway.Init") // by up(), before any test
  private static Testbed testbed;

  @TempDir private Path temp;
  private StoreSpark spark;
  private StoreProcess gateway;

  @BeforeAll
  static void up() throws Exception {
    testbed = Testbed.up(directory);
    testbed.link("gw");
    Configuration.addDefaultResource("contract/s3-client.xml");
  }

  @AfterAll
  static void down() throws Exception {
    if (testbed != null) {
      testbed.close();
    }
  }

  /** Only once the testbed is known to be there: a skipped class starts nothing. */
  @BeforeEach
  void start() throws Exception {
    gateway = StoreProcess.gateway(temp, testbed.mount("gw"));
    gateway
        .client()
        .forEach(entry -> System.setProperty("test." + entry.getKey(), entry.getValue()));
    spark = new StoreSpark(temp);
    spark.start("s3a://bucket/", StoreSpark.settings(gateway.client()), NODES, SETTINGS);
  }

  @AfterEach
  void stop() throws Exception {
    try {
      spark.stop();
    } finally {
      gateway.close();
    }
  }

  /** Where a system's users see what is in the bucket. */
  private static String uri(String system, String path) {
    return system.equals(ELEY) ? "bb:///" + path : "s3a://bucket/" + path;
  }

  private CoordinatorClient coordinator() throws Exception {
    return LocalDeployment.connect(new DeploymentFiles(temp.resolve("d")));
  }

  /** Eley is told of phases, the gateway alone has nobody to tell. */
  private static StepWriters.Notices notices(String system, CoordinatorClient coordinator) {
    return !system.equals(ELEY)
        ? StepWriters.UNTOLD
        : new StepWriters.Notices() {
          @Override
          public void begin() throws Exception {
            coordinator.beginPhase("cm1", LEASE);
          }

          @Override
          public void end() throws Exception {
            coordinator.endPhase("cm1");
          }
        };
  }

  /** Seconds by step. The sums are those of the files on a mount. */
  private Map<Integer, Double> analyse(String system, StepWriters writers, String run, int millis)
      throws Exception {
    var settings = new LinkedHashMap<>(StoreSpark.settings(gateway.client()));
    if (system.equals(ELEY)) {
      settings.putAll(spark.plugin());
    }
    int steps = writers.shape().steps() == 0 ? 2 : writers.shape().steps() - 1;
    var arguments = List.of(uri(system, run), steps + "", millis + "");
    try (var submission = spark.submit(SLOTS, StepSums.class, arguments, settings)) {
      var unused = submission.await();
    }
    var seconds = new TreeMap<Integer, Double>();
    for (String line : spark.printed()) {
      String[] words = line.split(" ", -1);
      if (words[0].equals("step")) {
        int step = Integer.parseInt(words[1]);
        seconds.put(step, Double.valueOf(words[2]));
        assertThat(List.of(words).subList(3, words.length))
            .as("%s, step %d", run, step)
            .hasSize(PROCESSES)
            .isEqualTo(writers.sums(step));
      }
    }
    assertThat(seconds).hasSize(steps);
    return seconds;
  }

  private GatewayClients clients(String system, int count, int mebibytes, int rounds)
      throws Exception {
    var conf = new Configuration();
    conf.set("fs.s3a.buffer.dir", temp.resolve("buffers").toString());
    conf.set("fs.bb.impl", BbFileSystem.class.getName());
    conf.set("eley.deployment", temp.resolve("d").toString());
    String own = uri(system, "clients-" + system + "-" + count);
    return new GatewayClients(URI.create(own), conf, count, mebibytes, rounds);
  }

  @Test
  @Timeout(300)
  void clientsAnalysisAndWritersGetTheirBytesAndPhasesAreHeld() throws Exception {
    var shape = new StepWriters.Shape(PROCESSES, 1, 0, Duration.ofSeconds(2));
    int phases;
    try (var coordinator = coordinator();
        var writers = new StepWriters(testbed, shape, "bucket/short", notices(ELEY, coordinator))) {
      analyse(ELEY, writers, "short", 300);
      for (String system : List.of(GATEWAY, ELEY)) {
        for (int count : List.of(1, 4)) {
          try (var clients = clients(system, count, 1, 2)) {
            clients.upload();
            clients.download();
            assertThat(clients.objects()).isEqualTo(2 * count);
          }
        }
      }
      writers.stop();
      phases = writers.seconds().size();
    }
    var ledger = new LedgerFile(temp.resolve("d"));
    await().atMost(Duration.ofSeconds(20)).until(() -> ledger.read().size() >= phases);
    assertThat(ledger.read())
        .hasSize(phases)
        .allMatch(entry -> entry.hold().nodes() == NODES && entry.hold().confirmed() == NODES);
    Map<ReadCause, Long> read = spark.report().originBytes();
    System.out.printf("%d phases, all held by %d nodes; they read %s%n", phases, NODES, read);
    assertThat(read.get(ReadCause.PREFETCH)).isPositive();
  }

  @Test
  @EnabledIfSystemProperty(named = "eley.test.gateway", matches = "\\d+")
  void theAnalysisBesideTheWriters() throws Exception {
    var phases = new TreeMap<String, List<Double>>();
    var steps = new TreeMap<String, List<Double>>();
    var systems = new ArrayList<>(List.of(ALONE, GATEWAY, ELEY));
    var shape = new StepWriters.Shape(PROCESSES, MEBIBYTES, STEPS + 2, COMPUTING);
    try (var coordinator = coordinator()) {
      for (int run = 1; run <= Integer.getInteger("eley.test.repetitions", 3); run++) {
        for (String system : systems) {
          String name = system + "-" + run;
          try (var writers =
              new StepWriters(testbed, shape, "bucket/" + name, notices(system, coordinator))) {
            var read =
                system.equals(ALONE)
                    ? Map.<Integer, Double>of()
                    : analyse(system, writers, name, MILLIS);
            writers.await();
            // Beside the first phases nobody reads yet, or JVMs that are cold.
            var counted = writers.seconds().subList(2, STEPS + 2);
            phases.computeIfAbsent(system, s -> new ArrayList<>()).addAll(counted);
            var warm = read.entrySet().stream().filter(e -> e.getKey() > 1);
            var seconds = warm.map(Map.Entry::getValue).toList();
            steps.computeIfAbsent(system, s -> new ArrayList<>()).addAll(seconds);
            System.out.printf(
                "%s: phases %s; analysis %s; %s%n",
                name, list(counted), list(seconds), circumstances());
          }
        }
        Collections.rotate(systems, 1);
      }
    }
    for (String system : phases.keySet()) {
      System.out.printf(
          "%s: phases %s; analysis of a step %s%n",
          system, spread(phases.get(system)), spread(steps.get(system)));
    }
    new LedgerFile(temp.resolve("d")).read().forEach(entry -> System.out.println("  " + entry));
  }

  @Test
  @EnabledIfSystemProperty(named = "eley.test.gateway", matches = "\\d+")
  void clientsUpAndDownBesideTheWriters() throws Exception {
    int most = Integer.getInteger("eley.test.gateway");
    var shape = new StepWriters.Shape(PROCESSES, MEBIBYTES, 0, COMPUTING);
    try (var coordinator = coordinator()) {
      int turn = 0;
      for (int count : IntStream.of(1, 4, 15, most).filter(n -> n <= most).distinct().toArray()) {
        var systems = new ArrayList<>(List.of(GATEWAY, ELEY));
        Collections.rotate(systems, turn++);
        for (String system : systems) {
          String name = system + "-" + count;
          int rounds = GatewayClients.rounds(count, 16);
          try (var clients = clients(system, count, MEBIBYTES / 2, rounds);
              var writers =
                  new StepWriters(
                      testbed, shape, "bucket/w-" + name, notices(system, coordinator))) {
            await().atMost(Duration.ofMinutes(1)).until(() -> writers.seconds().size() == 1);
            tell(name + " up", clients.upload(), rounds * count * MEBIBYTES / 2);
            tell(name + " down", clients.download(), rounds * count * MEBIBYTES / 2);
            assertThat(clients.objects()).isEqualTo(rounds * count);
            writers.stop();
            var beside = writers.seconds().subList(1, writers.seconds().size());
            System.out.printf(
                "%s: phases %s %s; %s%n", name, list(beside), spread(beside), circumstances());
          }
        }
      }
    }
  }

  private static void tell(String what, GatewayClients.Times times, int mebibytes) {
    System.out.printf(
        Locale.ROOT,
        "%s: an object %s; all %.1f s, %.1f MiB/s%n",
        what,
        spread(times.each()),
        times.all(),
        mebibytes / times.all());
  }

  private static String list(List<Double> seconds) {
    return seconds.stream()
        .map(s -> String.format(Locale.ROOT, "%.2f", s))
        .collect(Collectors.joining(" "));
  }

  /** Median, and from where to where. */
  private static String spread(List<Double> seconds) {
    if (seconds.isEmpty()) {
      return "none";
    }
    var sorted = seconds.stream().sorted().toList();
    int n = sorted.size();
    return String.format(
        Locale.ROOT,
        "%.2f s (%.2f to %.2f, %d)",
        (sorted.get((n - 1) / 2) + sorted.get(n / 2)) / 2,
        sorted.get(0),
        sorted.get(n - 1),
        n);
  }

  private String circumstances() throws Exception {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    return String.format(Locale.ROOT, "nodes %s; load %.1f", spark.report().originBytes(), load);
  }
}
