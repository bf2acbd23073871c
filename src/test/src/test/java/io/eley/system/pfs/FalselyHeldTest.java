package io.eley.system.pfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.client.EleyClient;
import io.eley.coordinator.ledger.LedgerFile;
import io.eley.prefetcher.control.FullDelay;
import io.eley.system.Deployments;
import io.eley.test.fixtures.MountsOrigin;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Where no HPC application is, prefetching is held for nobody: neither alone, nor beside another
 * deployment that reads in bursts. Where the processors are taken reads take longer, too, so it
 * runs on demand only: {@code -Deley.test.held=120} looks for two minutes.
 */
@Tag("slow")
@Tag("timing")
class FalselyHeldTest {
  private static final int MIB = 1 << 20;
  private static final RandomFiles FILES = new RandomFiles(10, 32 * MIB);
  private static final int READERS = 4;
  private static final Duration LOOK = Duration.ofSeconds(Long.getLong("eley.test.held", 0));
  private static final Duration BURST = Duration.ofSeconds(8);
  private static final Duration PAUSE = Duration.ofSeconds(5);

  @TempDir static Path directory;

  @SuppressWarnings("NullAway.Init") // by up(), before any test
  private static Testbed testbed;

  @TempDir Path temp;

  @BeforeAll
  static void up() throws Exception {
    Assumptions.assumeTrue(
        System.getProperty("eley.test.held") != null,
        "needs a quiet machine, and -Deley.test.held=SECONDS");
    testbed = Testbed.up(directory);
    FILES.writeTo(testbed.mount("a"));
    for (String mount : List.of("coordinator", "n1", "n2", "n3", "n4", "spark")) {
      testbed.link(mount);
    }
  }

  @AfterAll
  static void down() throws Exception {
    if (testbed != null) {
      testbed.close();
    }
  }

  /** A deployment whose nodes are too small for the input, so that all of it is read again. */
  private Deployments deployment(String name, List<String> nodes, String... more) throws Exception {
    var settings = new ArrayList<>(List.of("eley.block-size", "4m", "eley.chunk-size", "1m"));
    settings.addAll(List.of("eley.delay.max", "60s"));
    settings.addAll(Arrays.asList(more));
    var deployment =
        new Deployments(
            Files.createDirectory(temp.resolve(name)),
            "mounts://" + testbed.mount(""),
            BufferMode.FULL_DELAY,
            settings.toArray(String[]::new));
    for (String node : nodes) {
      MountsOrigin.nodesUse(node);
      deployment.startNode(node, "64m");
    }
    return deployment;
  }

  /** Readers that go through all files again and again while they are wanted. */
  private static final class Readers {
    private final EleyClient client;
    private final AtomicBoolean wanted;
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    Readers(EleyClient client, AtomicBoolean wanted) {
      this.client = client;
      this.wanted = wanted;
      for (int i = 0; i < READERS; i++) {
        int first = i;
        var thread = new Thread(() -> read(first), "reader");
        threads.add(thread);
        thread.start();
      }
    }

    private void read(int first) {
      var buffer = ByteBuffer.allocate(4 * MIB);
      try {
        for (int i = first; !closed; i += READERS) {
          try (var file = client.openFile("/f" + i % FILES.count())) {
            for (long at = 0; at < FILES.bytes() && !closed; at += buffer.capacity()) {
              await().atMost(Duration.ofMinutes(5)).until(() -> wanted.get() || closed);
              file.readFully(at, buffer.clear());
            }
          }
        }
      } catch (Exception e) {
        failure.set(e);
      }
    }

    /** Waits for them; fails when one of them did. */
    void stop() throws Exception {
      closed = true;
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failure.get()).isNull();
    }
  }

  /** What part of the time prefetching was held, after a while to get used to the origin. */
  private static double held(String what, Deployments deployment, EleyClient client)
      throws Exception {
    var coordinator = client.coordinator().orElseThrow();
    long began = System.nanoTime();
    var reasons = new TreeMap<String, Integer>();
    var thread = Executors.newSingleThreadScheduledExecutor();
    try {
      var samples =
          thread.scheduleAtFixedRate(
              () -> {
                try {
                  String reason = coordinator.report().permitReason();
                  reasons.merge(reason, 1, Integer::sum);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              },
              5000,
              25,
              TimeUnit.MILLISECONDS);
      await()
          .atMost(LOOK.plusSeconds(60))
          .until(() -> System.nanoTime() - began > LOOK.plusSeconds(5).toNanos());
      samples.cancel(false);
    } finally {
      thread.shutdown();
      assertThat(thread.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }
    double all = reasons.values().stream().mapToInt(Integer::intValue).sum();
    int free = reasons.getOrDefault("no phase", 0) + reasons.getOrDefault(FullDelay.NOBODY_SEES, 0);
    double held = 1 - free / all;
    System.out.printf(
        Locale.ROOT,
        "%s: held for %.1f %% of the time, %d entries in the ledger, %s%n",
        what,
        100 * held,
        new LedgerFile(deployment.deploymentDirectory()).read().size(),
        reasons);
    return held;
  }

  @Test
  void alone() throws Exception {
    try (var deployment = deployment("one", List.of("n1", "n2"), counters());
        var client = deployment.client()) {
      var readers = new Readers(client, new AtomicBoolean(true));
      try {
        assertThat(held("alone", deployment, client)).isLessThan(0.03);
      } finally {
        readers.stop();
      }
    }
  }

  /** OrangeFS's own, where its tool can be found. */
  private static String[] counters() {
    return Boolean.getBoolean("eley.test.counters")
        ? new String[] {"eley.signal.counters", "orangefs:" + testbed.mount("a")}
        : new String[0];
  }

  @Test
  void besideAnotherDeployment() throws Exception {
    assertThat(beside("beside one that is known", "eley.signal.neighbours", temp + "/n"))
        .isLessThan(0.03);
  }

  @Test
  void whoDoesNotKnowOfItTakesItForAnHpcApplication() throws Exception {
    assertThat(beside("beside one that is not known")).isGreaterThan(0.03);
  }

  private double beside(String what, String... more) throws Exception {
    var bursts = new AtomicBoolean();
    var thread = Executors.newSingleThreadScheduledExecutor();
    try (var one = deployment("one" + more.length, List.of("n1", "n2"), more);
        var other = deployment("other" + more.length, List.of("n3", "n4"), more);
        var client = one.client();
        var others = other.client()) {
      var readers = new Readers(client, new AtomicBoolean(true));
      var neighbour = new Readers(others, bursts);
      long every = BURST.plus(PAUSE).toMillis();
      var begin =
          thread.scheduleAtFixedRate(
              () -> bursts.set(true), PAUSE.toMillis(), every, TimeUnit.MILLISECONDS);
      var end =
          thread.scheduleAtFixedRate(() -> bursts.set(false), every, every, TimeUnit.MILLISECONDS);
      try {
        double held = held(what, one, client);
        assertThat(begin.isDone() || end.isDone()).isFalse();
        return held;
      } finally {
        readers.stop();
        neighbour.stop();
      }
    } finally {
      thread.shutdownNow();
    }
  }
}
