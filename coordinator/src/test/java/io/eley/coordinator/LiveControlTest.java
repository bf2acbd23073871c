package io.eley.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.client.Connection;
import io.eley.bb.api.wire.PhaseMessage.BeginPhase;
import io.eley.bb.api.wire.PhaseMessage.EndPhase;
import io.eley.coordinator.ledger.LedgerFile;
import io.eley.prefetcher.control.PhaseEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The controller in real time: how soon it holds, and what it foresees. The figures of the
 * documentation come from longer runs of the same: {@code -Deley.live.phases=60
 * -Deley.live.seconds=8}. What the control does is judged, not what else the machine does: where
 * that made the experiment late by more than {@link #LATE}, it is made again, twice at most.
 */
@Tag("timing")
@Isolated("it judges time")
@Timeout(3600)
class LiveControlTest {
  private static final int NODES = 2;
  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final int ATTEMPTS = 3;

  /** A phase that begins so late, after ones that did not, is none of the period's. */
  private static final Duration LATE = Duration.ofMillis(15);

  @TempDir Path temporary;

  private final List<FakeNode> nodes = new ArrayList<>();

  /** Whether the machine has let an experiment be late. */
  private boolean late;

  /** What came of an experiment. */
  private interface Outcome {
    boolean isAsPromised();
  }

  private interface Experiment<T extends Outcome> {
    T in(Path directory) throws Exception;
  }

  private <T extends Outcome> T attempted(Experiment<T> experiment) throws Exception {
    T outcome = experiment.in(temporary.resolve("1"));
    for (int i = 2; i <= ATTEMPTS && late && !outcome.isAsPromised(); i++) {
      late = false;
      outcome = experiment.in(temporary.resolve("" + i));
    }
    return outcome;
  }

  private Connection start(TestDeployment deployment) throws Exception {
    nodes.clear();
    for (int i = 0; i < NODES; i++) {
      var node = deployment.node("n" + i, 7000 + i);
      node.register();
      nodes.add(node);
    }
    return deployment.connect();
  }

  /** Until a moment of the plan; work of the experiment, not waiting for something to happen. */
  private void until(long nanos) {
    CompletableFuture.runAsync(
            () -> {},
            CompletableFuture.delayedExecutor(
                Math.max(0, nanos - System.nanoTime()), TimeUnit.NANOSECONDS))
        .join();
    late |= System.nanoTime() - nanos > LATE.toNanos();
  }

  /** When all nodes were closed for a phase that began then; 0 when they were before. */
  private long holdLatency(long began) {
    long last = 0;
    for (FakeNode node : nodes) {
      var before = node.changes.stream().filter(c -> c.at() <= began).reduce((a, b) -> b);
      if (before.isEmpty() || !before.get().closed()) {
        long closed =
            node.changes.stream()
                .filter(c -> c.at() > began && c.closed())
                .mapToLong(FakeNode.Change::at)
                .findFirst()
                .orElse(Long.MAX_VALUE);
        last = Math.max(last, closed - began);
      }
    }
    return last;
  }

  /** Of phases that are announced: the median's latency in ns, and shares. */
  private record Announced(int phases, long latency, long forecast, double before, double needless)
      implements Outcome {
    // A busy machine delays announcements: the bound of 95 % is for the longer run.
    private static final double BEFORE = 0.8;
    private static final double NEEDLESS = 0.15;
    private static final long LATENCY = 50_000_000L;

    @Override
    public boolean isAsPromised() {
      return latency < LATENCY && forecast >= phases / 2 && before >= BEFORE && needless < NEEDLESS;
    }
  }

  @Test
  void announcedPhasesAreHeldAtOnceAndPeriodicOnesBeforeTheyBegin() throws Exception {
    Announced outcome = attempted(this::announce);
    assertThat(outcome.latency()).as("median, ns").isLessThan(Announced.LATENCY);
    assertThat(outcome.forecast())
        .as("all but the first")
        .isGreaterThanOrEqualTo(outcome.phases() / 2);
    assertThat(outcome.before()).isGreaterThanOrEqualTo(Announced.BEFORE);
    assertThat(outcome.needless()).isLessThan(Announced.NEEDLESS);
  }

  private Announced announce(Path directory) throws Exception {
    int phases = Integer.getInteger("eley.live.phases", 14);
    double seconds = Double.parseDouble(System.getProperty("eley.live.seconds", "1.2"));
    double jitter = Double.parseDouble(System.getProperty("eley.live.jitter", "0.02"));
    long seed = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed of the pauses (-Deley.test.seed=...): " + seed);
    var random = new Random(seed);
    try (var deployment = new TestDeployment(directory, BufferMode.FULL_DELAY)) {
      Connection connection = start(deployment);
      var begins = new ArrayList<Long>();
      var ends = new ArrayList<Long>();
      long at = System.nanoTime();
      for (int i = 0; i < phases; i++) {
        at += (long) (1e9 * seconds * (1 + jitter * (2 * random.nextDouble() - 1)));
        until(at);
        begins.add(System.nanoTime());
        TestDeployment.ask(connection, new BeginPhase("climate", LEASE));
        at += (long) (1e9 * seconds);
        until(at);
        TestDeployment.ask(connection, new EndPhase("climate"));
        ends.add(System.nanoTime());
      }
      var file = new LedgerFile(deployment.directory);
      org.awaitility.Awaitility.await().until(() -> file.read().size() == phases);
      return outcome(file.read(), begins, ends, jitter);
    }
  }

  private Announced outcome(
      List<PhaseEntry> entries, List<Long> begins, List<Long> ends, double jitter) {
    long[] latencies = begins.stream().mapToLong(this::holdLatency).sorted().toArray();
    long forecast = entries.stream().filter(e -> e.predicted().isPresent()).count();
    long before =
        entries.stream().flatMap(e -> e.predicted().stream()).filter(p -> p.closedBefore()).count();
    long needless = needless(begins, ends);
    long all = ends.get(ends.size() - 1) - begins.get(0);
    System.out.printf(
        Locale.ROOT,
        "live: %d phases, jitter %.0f %%: hold latency p50 %.1f ms, p99 %.1f ms; %d of %d forecast"
            + " phases closed before they began; held without need %.2f %% of the time%n",
        begins.size(),
        100 * jitter,
        latencies[latencies.length / 2] / 1e6,
        latencies[(int) Math.ceil(0.99 * latencies.length) - 1] / 1e6,
        before,
        forecast,
        100.0 * needless / all);
    return new Announced(
        begins.size(),
        latencies[latencies.length / 2],
        forecast,
        (double) before / forecast,
        (double) needless / all);
  }

  /** How long the first node was closed outside phases, from the first phase on. */
  private long needless(List<Long> begins, List<Long> ends) {
    long sum = 0;
    var changes = nodes.get(0).changes;
    for (int i = 0; i + 1 < begins.size(); i++) {
      long from = ends.get(i);
      long to = begins.get(i + 1);
      long closedAt = -1;
      for (var change : changes) {
        if (change.at() >= from && change.at() < to) {
          if (change.closed()) {
            closedAt = change.at();
          } else if (closedAt >= 0) {
            sum += change.at() - closedAt;
            closedAt = -1;
          }
        }
      }
      sum += closedAt >= 0 ? to - closedAt : 0;
    }
    return sum;
  }

  /** Of phases that counters show: the median's latency in ns, and the ledger. */
  private record Counted(long latency, List<PhaseEntry> ledger) implements Outcome {
    private static final int PHASES = 6;
    private static final long LATENCY = 600_000_000L;

    @Override
    public boolean isAsPromised() {
      return latency < LATENCY
          && ledger.size() <= PHASES
          && ledger.stream().allMatch(e -> e.application().equals("somebody"));
    }
  }

  /** A file of counters that a site plugs in; somebody's bytes come in bursts between ours. */
  @Test
  void phasesKnownByCountersAloneAreHeldWithinAnIntervalAndOursAreNoPhases() throws Exception {
    Counted outcome = attempted(this::count);
    assertThat(outcome.ledger().size()).as("no phase of ours").isLessThanOrEqualTo(Counted.PHASES);
    assertThat(outcome.ledger()).allMatch(e -> e.application().equals("somebody"));
    assertThat(outcome.latency()).as("median, ns").isLessThan(Counted.LATENCY);
  }

  private Counted count(Path directory) throws Exception {
    Path counters = Files.createDirectory(directory).resolve("bytes");
    Path next = directory.resolve("bytes.next");
    Files.writeString(counters, "0\n");
    int phases = Counted.PHASES;
    try (var deployment =
        new TestDeployment(
            directory,
            BufferMode.FULL_DELAY,
            "eley.signal.counters",
            "file:" + counters,
            "eley.signal.counters.interval",
            "300ms",
            "eley.predict",
            "false")) {
      start(deployment);
      var begins = new ArrayList<Long>();
      long origin = System.nanoTime();
      long ours = 0;
      long foreign = 0;
      boolean open = false;
      // Each 50 ms; 1.5 s of foreign I/O each 4 s; we read on all the time.
      for (int tick = 0; tick < phases * 80; tick++) {
        until(origin + tick * 50_000_000L);
        boolean busy = tick % 80 >= 50;
        if (busy && !open) {
          begins.add(System.nanoTime());
        }
        open = busy;
        foreign += busy ? 10_000_000 : 0;
        ours += 5_000_000;
        long each = ours / NODES;
        nodes.forEach(n -> n.hasRead(each));
        Files.writeString(next, (ours + foreign) + "\n");
        Files.move(next, counters, StandardCopyOption.ATOMIC_MOVE);
      }
      var file = new LedgerFile(deployment.directory);
      org.awaitility.Awaitility.await().until(() -> file.read().size() >= phases - 1);
      long[] latencies = begins.stream().mapToLong(this::holdLatency).sorted().toArray();
      System.out.printf(
          Locale.ROOT,
          "counters, asked each 300 ms: held after %s ms%n",
          Arrays.toString(Arrays.stream(latencies).map(l -> l / 1_000_000).toArray()));
      return new Counted(latencies[phases / 2], file.read());
    }
  }
}
