package io.eley.system.pfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.client.ClientCounters.Source;
import io.eley.bb.api.client.EleyClient;
import io.eley.coordinator.ledger.LedgerFile;
import io.eley.prefetcher.control.PhaseEntry;
import io.eley.system.Deployments;
import io.eley.test.fixtures.MountsOrigin;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The ledger against what a real OrangeFS's links have carried for us, byte by byte: within 1 %, a
 * chunk a fetcher, and what the meter of the links, or a client's reports, cannot tell.
 */
@Tag("slow")
class LedgerOnLinksTest {
  private static final int MIB = 1 << 20;
  private static final int FILE = 32 * MIB;
  private static final RandomFiles FILES = new RandomFiles(6, FILE);
  private static final int READERS = 4;
  private static final Duration LEASE = Duration.ofMinutes(1);

  /** Four of each of the two nodes. */
  private static final int FETCHERS = 8;

  @TempDir static Path directory;

  @SuppressWarnings("NullAway.Init") // by up(), before any test
  private static Testbed testbed;

  /** Bytes on a link for each byte that is read: what OrangeFS's, TCP's and IP's heads add. */
  private static double overhead;

  @TempDir Path temp;

  @BeforeAll
  static void up() throws Exception {
    testbed = Testbed.up(directory);
    for (String link : List.of("coordinator", "n1", "n2", "spark")) {
      testbed.link(link);
    }
    FILES.writeTo(testbed.mount("a"));
    long before = testbed.carried("n1");
    try (var file = Files.newByteChannel(testbed.mount("n1").resolve("f0"))) {
      var piece = ByteBuffer.allocateDirect(MIB);
      while (file.read(piece) >= 0) {
        piece.clear();
      }
    }
    overhead = (testbed.carried("n1") - before) / (double) FILE;
    System.out.printf(Locale.ROOT, "links carry %.4f bytes for each%n", overhead);
    assertThat(overhead).isBetween(1.0, 1.02);
  }

  @AfterAll
  static void down() throws Exception {
    if (testbed != null) {
      testbed.close();
    }
  }

  private Deployments deployment(BufferMode mode, String... more) throws Exception {
    var settings =
        new ArrayList<>(
            List.of("eley.block-size", "4m", "eley.chunk-size", "1m", "eley.delay.max", "60s"));
    settings.addAll(List.of("eley.client.read-ahead", "false"));
    settings.addAll(List.of(more));
    return new Deployments(
        temp, "mounts://" + testbed.mount(""), mode, settings.toArray(String[]::new));
  }

  private static void startNodes(Deployments deployment) throws Exception {
    for (String node : List.of("n1", "n2")) {
      MountsOrigin.nodesUse(node);
      deployment.startNode(node, "256m");
    }
  }

  private static PhaseEntry entry(Deployments deployment) {
    var ledger = new LedgerFile(deployment.deploymentDirectory());
    await().atMost(Duration.ofSeconds(20)).until(() -> !ledger.read().isEmpty());
    try {
      return ledger.read().get(0);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void assertSame(String what, long told, long carried, int fetchers, long unknown) {
    long bytes = Math.round(carried / overhead);
    System.out.printf(
        Locale.ROOT,
        "%s: %.2f MiB in the ledger, %.2f MiB on the links, known to %.2f%n",
        what,
        told / (double) MIB,
        bytes / (double) MIB,
        unknown / (double) MIB);
    assertThat(told)
        .as(what)
        .isCloseTo(bytes, within(Math.max(told, bytes) / 100 + (long) fetchers * MIB + unknown));
  }

  private static void assertSame(PhaseEntry entry, LinkMeter meter, int fetchers) {
    assertSame(entry, meter, fetchers, 0);
  }

  /** What a client reports four times a second is taken for even. */
  private static void assertSameAsReported(PhaseEntry entry, LinkMeter meter) {
    var reports = Duration.ofMillis(250);
    assertSame(entry, meter, READERS, meter.unevenness(entry.began(), entry.length(), reports));
  }

  private static void assertSame(PhaseEntry entry, LinkMeter meter, int fetchers, long more) {
    String what = entry.application() + ", " + entry.source() + ", " + entry.length();
    long carried = meter.in(entry.began(), entry.length());
    long meters = meter.uncertainty(entry.began(), entry.length());
    assertSame(what, entry.ourTotal(), carried, fetchers, meters + more);
  }

  @Test
  void whatNodesReadInAnAnnouncedPhaseAndAltogether() throws Exception {
    try (var deployment = deployment(BufferMode.NO_ACTION);
        var client = deployment.client();
        var meter = new LinkMeter(testbed, "n1", "n2", "spark")) {
      startNodes(deployment);
      var coordinator = client.coordinator().orElseThrow();
      var reading = FILES.readAll(client, READERS);
      await().until(() -> meter.all() > 20 * MIB);
      coordinator.beginPhase("ior", LEASE);
      // From here: on a busy machine much has been read before the phase is known of.
      long before = meter.all();
      await().until(() -> meter.all() - before > 80 * MIB);
      coordinator.endPhase("ior");
      reading.get(1, TimeUnit.MINUTES);
      PhaseEntry entry = entry(deployment);
      assertThat(entry.ourBytes()).containsOnlyKeys(ReadCause.DEMAND);
      assertThat(entry.ourTotal()).as("nothing is held").isGreaterThan(60L * MIB);
      assertSame(entry, meter, FETCHERS);
      await().untilAsserted(() -> assertThat(told(deployment)).isEqualTo(FILES.total()));
      assertSame("altogether", told(deployment), meter.all(), 0, 0);
    }
  }

  private static long told(Deployments deployment) throws Exception {
    return deployment.report().originBytes().values().stream().mapToLong(b -> b).sum();
  }

  @Test
  void aPhaseThatIsNoticedWhenItHasGoneOnForASecond() throws Exception {
    Path counters = temp.resolve("counters");
    var site = new Site(counters);
    try (var deployment =
            deployment(
                BufferMode.FULL_DELAY,
                "eley.signal.counters",
                "file:" + counters,
                "eley.signal.reads",
                "false");
        var client = deployment.client();
        var meter = new LinkMeter(testbed, "n1", "n2", "spark");
        site) {
      site.count(meter);
      startNodes(deployment);
      var reading = FILES.readAll(client, READERS);
      await().until(() -> meter.all() > 20 * MIB);
      site.foreign(200 * MIB);
      await().until(() -> !deployment.report().openPhases().isEmpty());
      site.foreign(0);
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> deployment.report().openPhases().isEmpty());
      reading.get(1, TimeUnit.MINUTES);
      PhaseEntry entry = entry(deployment);
      assertThat(entry.source()).isEqualTo("counters");
      assertThat(entry.hold().confirmed()).isEqualTo(2);
      assertThat(entry.ourTotal()).as("before it was noticed").isPositive();
      assertSame(entry, meter, FETCHERS);
    }
  }

  @Test
  void whatAClientReadsPastTheBuffer() throws Exception {
    try (var deployment = deployment(BufferMode.FULL_DELAY);
        var client = deployment.client();
        var meter = new LinkMeter(testbed, "n1", "n2", "spark")) {
      PhaseEntry entry = phaseWhile(deployment, client, meter, 0);
      assertThat(client.counters().bytes(Source.FALLBACK)).isEqualTo(FILES.total());
      assertThat(entry.hold().tasksPassed()).isFalse();
      assertSameAsReported(entry, meter);
      assertSame("altogether", FILES.total(), meter.all(), 0, 0);
    }
  }

  @Test
  void whatAClientReadsOnPurpose() throws Exception {
    try (var deployment = deployment(BufferMode.NAIVE_BB);
        var client = deployment.client();
        var meter = new LinkMeter(testbed, "n1", "n2", "spark")) {
      PhaseEntry entry = phaseWhile(deployment, client, meter, 30L * MIB);
      assertThat(entry.ourBytes()).containsOnlyKeys(ReadCause.DIRECT);
      assertThat(entry.ourTotal()).as("nothing is held").isGreaterThan(20L * MIB);
      assertSameAsReported(entry, meter);
    }
  }

  /**
   * A phase of a second or more while the client reads all files; what is asserted of it must have
   * been read in it, however slow the machine is.
   */
  private static PhaseEntry phaseWhile(
      Deployments deployment, EleyClient client, LinkMeter meter, long bytes) throws Exception {
    var coordinator = client.coordinator().orElseThrow();
    var reading = FILES.readAll(client, READERS);
    await().until(() -> meter.all() > 30 * MIB);
    coordinator.beginPhase("ior", LEASE);
    long began = System.nanoTime();
    long before = meter.all();
    await().until(() -> System.nanoTime() - began > 1_000_000_000 && meter.all() - before >= bytes);
    coordinator.endPhase("ior");
    reading.get(1, TimeUnit.MINUTES);
    return entry(deployment);
  }

  /** Counters of the whole file system: what our links carry, and somebody else's bytes. */
  private static final class Site implements AutoCloseable {
    private static final long EVERY_MILLIS = 100;

    private final Path file;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private volatile long bytesPerSecond;
    private long foreign;

    Site(Path file) throws Exception {
      this.file = file;
      Files.writeString(file, "servers 0\n");
    }

    void foreign(long newBytesPerSecond) {
      bytesPerSecond = newBytesPerSecond;
    }

    void count(LinkMeter meter) {
      var unused =
          thread.scheduleAtFixedRate(
              () -> write(meter), EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void write(LinkMeter meter) {
      foreign += bytesPerSecond * EVERY_MILLIS / 1000;
      long ours = Math.round(meter.all() / overhead);
      try {
        Path newer =
            Files.writeString(Path.of(file + ".new"), "servers " + (ours + foreign) + "\n");
        Files.move(newer, file, StandardCopyOption.ATOMIC_MOVE);
      } catch (java.io.IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      thread.shutdownNow();
    }
  }
}
