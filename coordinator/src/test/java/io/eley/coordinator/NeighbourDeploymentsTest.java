package io.eley.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.coordinator.ledger.LedgerFile;
import io.eley.prefetcher.control.PhaseEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Three deployments on one file system; one of them does not know of the others. What they see is
 * judged, not what else the machine does: where that made a tick late, it is tried again.
 */
@Tag("timing")
@Timeout(360)
@Isolated("it judges time")
class NeighbourDeploymentsTest {
  private static final long MIB = 1 << 20;
  private static final int ATTEMPTS = 3;
  private static final int TICK_MILLIS = 50;

  /** Later than this, what was read and what counters show are further apart than they ever are. */
  private static final Duration LATE = Duration.ofMillis(200);

  @TempDir Path temporary;

  private final AtomicLong eleys = new AtomicLong();
  private final AtomicLong foreign = new AtomicLong();
  private final AtomicLong ticks = new AtomicLong();
  private volatile boolean foreigners;

  /** Where the attempt has its files. */
  private Path place = Path.of("");

  private volatile long tickedAt;

  /** Whether the machine has let a tick be late. */
  private volatile boolean late;

  private TestDeployment watcher(String name, String... more) throws Exception {
    var keys =
        Stream.concat(
                Stream.of(
                    "eley.signal.counters",
                    "file:" + place.resolve("bytes"),
                    "eley.predict",
                    "false"),
                Stream.of(more))
            .toArray(String[]::new);
    return new TestDeployment(place.resolve(name), BufferMode.FULL_DELAY, keys);
  }

  /** 60 MiB/s of the reader for 2 s each 5 s, and of foreigners when they are there. */
  private void tick(FakeNode reader) {
    try {
      long now = System.nanoTime();
      if (tickedAt != 0 && now - tickedAt > LATE.plusMillis(TICK_MILLIS).toNanos()) {
        late = true;
      }
      tickedAt = now;
      long tick = ticks.getAndIncrement();
      if (tick % 100 >= 60) {
        eleys.addAndGet(3 * MIB);
      }
      if (foreigners) {
        foreign.addAndGet(3 * MIB);
      }
      reader.hasRead(eleys.get());
      Path next = place.resolve("next");
      Files.writeString(next, (eleys.get() + foreign.get()) + "\n");
      Files.move(next, place.resolve("bytes"), StandardCopyOption.ATOMIC_MOVE);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static int phases(TestDeployment deployment) {
    return deployment.server() == null ? 0 : ledger(deployment).size();
  }

  private static List<PhaseEntry> ledger(TestDeployment deployment) {
    try {
      return new LedgerFile(deployment.directory).read();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whatAnotherDeploymentReadsIsNobodysPhase() throws Exception {
    int phases = phasesToWhoKnowsTheOther("1");
    for (int i = 2; i <= ATTEMPTS && late && phases > 0; i++) {
      phases = phasesToWhoKnowsTheOther("" + i);
    }
    assertThat(phases).as("phases after the first burst, to who knows the other").isZero();
  }

  private int phasesToWhoKnowsTheOther(String attempt) throws Exception {
    place = Files.createDirectory(temporary.resolve(attempt));
    tickedAt = 0;
    late = false;
    ticks.set(0);
    eleys.set(0);
    foreign.set(0);
    Files.writeString(place.resolve("bytes"), "0\n");
    Path entries = place.resolve("n");
    int phases;
    var clock = Executors.newSingleThreadScheduledExecutor();
    try (var other =
            new TestDeployment(
                place.resolve("other"),
                BufferMode.FULL_DELAY,
                "eley.signal.neighbours",
                entries.toString(),
                // so that a late report is there before what it says is told to others
                "eley.permit.renewal",
                "200ms");
        var knows = watcher("knows", "eley.signal.neighbours", entries.toString());
        var alone = watcher("alone")) {
      FakeNode reader = other.node("r", 5001);
      reader.register();
      knows.node("k", 5002).register();
      alone.node("a", 5003).register();
      var unused =
          clock.scheduleWithFixedDelay(() -> tick(reader), 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
      await().atMost(Duration.ofSeconds(60)).until(() -> phases(alone) >= 4);
      // Who has moved nothing for a while is not waited for: his first burst may be held for.
      PhaseEntry first = ledger(alone).get(0);
      Instant known = first.began().plus(first.length()).plus(first.observed().resolution());
      var later = ledger(knows).stream().filter(e -> e.began().isAfter(known)).toList();
      int held = phases(knows);
      System.out.printf(
          "another deployment's bursts: %d phases to who knows it, %d to who does not%n",
          held, phases(alone));
      phases = later.size();
      foreigners = true;
      long begun = ticks.get() + 60;
      await().until(() -> ticks.get() > begun);
      foreigners = false;
      await().atMost(Duration.ofSeconds(20)).until(() -> phases(knows) > held);
    } finally {
      clock.shutdownNow();
      assertThat(clock.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }
    await()
        .untilAsserted(() -> assertThat(entries).as("entries of who has ended").isEmptyDirectory());
    return phases;
  }
}
