package io.eley.system.pfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.cli.render.PermitSentences;
import io.eley.coordinator.ledger.LedgerFile;
import io.eley.prefetcher.control.PhaseEntry;
import io.eley.system.Deployments;
import io.eley.test.fixtures.MountsOrigin;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One of OrangeFS's servers is frozen while readers read: nothing fails, nobody is held for, and it
 * is said what goes on. {@code -Deley.test.freeze=30} freezes it for half a minute.
 */
@Tag("slow")
class FrozenServerTest {
  private static final int MIB = 1 << 20;
  private static final RandomFiles FILES = new RandomFiles(8, 32 * MIB);
  private static final List<String> LINKS = List.of("coordinator", "n1", "n2", "spark");
  private static final Duration FROZEN = Duration.ofSeconds(Long.getLong("eley.test.freeze", 8));

  @TempDir static Path directory;

  @SuppressWarnings("NullAway.Init") // by up(), before any test
  private static Testbed testbed;

  @TempDir Path temp;

  @BeforeAll
  static void up() throws Exception {
    testbed = Testbed.up(directory);
    FILES.writeTo(testbed.mount("a"));
    for (String link : LINKS) {
      testbed.link(link);
    }
  }

  @AfterAll
  static void down() throws Exception {
    if (testbed != null) {
      testbed.thaw(1); // else whoever touches the mount would wait for it for ever
      testbed.close();
    }
  }

  @Test
  void readersWaitAndGoOnAndNoPhaseIsLearned() throws Exception {
    try (var deployment =
            new Deployments(
                temp,
                "mounts://" + testbed.mount(""),
                BufferMode.FULL_DELAY,
                "eley.block-size",
                "4m",
                "eley.chunk-size",
                "1m",
                "eley.delay.max",
                "60s");
        var client = deployment.client()) {
      for (String node : List.of("n1", "n2")) {
        MountsOrigin.nodesUse(node);
        deployment.startNode(node, "512m");
      }
      var reading = FILES.readAll(client, 2);
      await().until(() -> read(deployment.report()) > 64L * MIB);
      testbed.freeze(1);
      long frozen = System.nanoTime();
      Instant middle = Instant.now().plus(FROZEN.dividedBy(2));
      long before = carried();
      await().until(() -> saysThatItMayHang(deployment.report()));
      await()
          .atMost(FROZEN.plusSeconds(10))
          .until(() -> System.nanoTime() - frozen > FROZEN.toNanos());
      assertThat(deployment.report().openPhases()).isEmpty();
      assertThat(carried() - before).as("a chunk a fetcher").isLessThan(20L * MIB);
      testbed.thaw(1);

      reading.get(2, TimeUnit.MINUTES);
      await().until(() -> deployment.report().openPhases().isEmpty());
      await().until(() -> !deployment.report().control().models().toString().contains("may hang"));
      assertThat(deployment.report().control().forecasts()).isEmpty();
      List<PhaseEntry> entries = new LedgerFile(deployment.deploymentDirectory()).read();
      entries.forEach(e -> System.out.println("ledger: " + e));
      assertThat(entries).as("%s is in none", middle).noneMatch(e -> covers(e, middle));
    }
  }

  /** Both of the status and of {@code eley why}. */
  private static boolean saysThatItMayHang(DeploymentReport report) {
    String models = report.control().models().toString();
    String why = PermitSentences.render(report);
    System.out.println("status: " + models + ", why: " + why);
    boolean said = models.contains("may hang") && why.contains("have not come back");
    if (said) {
      assertThat(why).as("when it is said first").containsPattern("for up to ([5-9]|\\d\\d) s");
    }
    return said;
  }

  private static boolean covers(PhaseEntry entry, Instant time) {
    return entry.began().isBefore(time) && entry.began().plus(entry.length()).isAfter(time);
  }

  /** By all links: what a report says is of a moment before it. */
  private static long carried() throws IOException {
    long sum = 0;
    for (String link : LINKS) {
      sum += testbed.carried(link);
    }
    return sum;
  }

  private static long read(DeploymentReport report) {
    return report.originBytes().values().stream().mapToLong(b -> b).sum();
  }
}
