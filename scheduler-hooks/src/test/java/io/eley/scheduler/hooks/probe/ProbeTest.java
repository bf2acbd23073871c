package io.eley.scheduler.hooks.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.scheduler.hooks.signal.SignalException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProbeTest {
  private static final long MS = 1_000_000;

  @TempDir Path temp;

  /** Latencies of a 1 MiB write on OrangeFS as they were measured: p50 and p95, milliseconds. */
  private enum Condition {
    IDLE(6.1, 8.7, 0),
    IOR(34.8, 38.5, 0),
    TWO_OF_OURS(21.7, 24.4, 40e6),
    EIGHT_OF_OURS(40, 51.7, 120e6),
    IOR_AND_TWO(49.4, 58, 40e6),
    IOR_AND_EIGHT(69.1, 90.6, 120e6);

    private final double median;
    private final double spread;
    private final double ours;

    Condition(double median, double p95, double ours) {
      this.median = median;
      this.spread = Math.log(p95 / median) / 1.645;
      this.ours = ours;
    }

    long nanos(Random r) {
      return (long) (1e6 * median * Math.exp(spread * r.nextGaussian()));
    }
  }

  /**
   * Our load comes and goes, IOR comes and goes: five probes with it, twenty without, at each of
   * our loads.
   */
  @Test
  void othersAreSeenAndWeAreNot() {
    long seed = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed of the latencies (-Deley.test.seed=...): " + seed);
    var random = new Random(seed);
    int bursts = 0;
    int seen = 0;
    int quiet = 0;
    int wrong = 0;
    int late = 0;
    for (int run = 0; run < 20; run++) {
      var detector = new ProbeDetector();
      for (int round = 0; round < 60; round++) {
        Condition without =
            new Condition[] {Condition.IDLE, Condition.TWO_OF_OURS, Condition.EIGHT_OF_OURS}
                [round % 3];
        Condition with =
            new Condition[] {Condition.IOR, Condition.IOR_AND_TWO, Condition.IOR_AND_EIGHT}
                [round % 3];
        boolean learning = round < 3;
        for (int i = 0; i < 20; i++) {
          boolean somebody = detector.observe(without.nanos(random), without.ours);
          boolean tail = i < 4; // of the burst before
          quiet += learning || tail ? 0 : 1;
          wrong += somebody && !learning && !tail ? 1 : 0;
        }
        int first = -1;
        for (int i = 0; !learning && i < 5; i++) {
          if (detector.observe(with.nanos(random), with.ours) && first < 0) {
            first = i;
          }
        }
        bursts += learning ? 0 : 1;
        seen += first >= 0 ? 1 : 0;
        late += Math.max(0, first);
      }
    }
    System.out.printf(
        Locale.ROOT,
        "probe: %.1f %% of %d bursts seen, after %.1f probes; false in %.2f %% of %d quiet probes%n",
        100.0 * seen / bursts,
        bursts,
        1 + (double) late / seen,
        100.0 * wrong / quiet,
        quiet);
    assertThat((double) seen / bursts).isGreaterThan(0.95);
    assertThat((double) wrong / quiet).isLessThan(0.01);
  }

  @Test
  void aLoadOfOursThatIsNewIsNobody() {
    var detector = new ProbeDetector();
    var random = new Random(1);
    for (int i = 0; i < 50; i++) {
      detector.observe(Condition.IDLE.nanos(random), 0);
    }
    for (int i = 0; i < 50; i++) {
      assertThat(detector.observe(Condition.EIGHT_OF_OURS.nanos(random), 120e6)).isFalse();
    }
  }

  private long now;
  private boolean known;
  private int probes;

  private IorProbe probe(TimedIo io) {
    return new IorProbe(io, Duration.ofSeconds(1), () -> 0, () -> known, () -> now);
  }

  @Test
  void itRestsInKnownPhasesAndTakesAHundredthOfTheTimeAtMost() throws Exception {
    try (var probe =
        probe(
            () -> {
              probes++;
              return 50 * MS;
            })) {
      for (; now < 60_000 * MS; now += 100 * MS) {
        assertThat(probe.sample()).hasSize(1);
      }
      assertThat(probes).as("one in 5 s, for each takes 50 ms").isEqualTo(12);
      known = true;
      for (; now < 120_000 * MS; now += 100 * MS) {
        assertThat(probe.sample().get(0).said()).isFalse();
      }
      assertThat(probes).isEqualTo(12);
    }
  }

  /** Polls each 250 ms, with each latency once and the usual one from then on. */
  private double secondsHeldAfter(long... latencies) throws Exception {
    var left = new ArrayDeque<Long>();
    LongStream.of(latencies).forEach(left::add);
    long slowAt = 0;
    long saidAt = 0;
    try (var probe = probe(() -> took(left.isEmpty() ? 6 * MS : left.remove()))) {
      for (long end = Long.MAX_VALUE; now < end; now += 250 * MS) {
        boolean slow = !left.isEmpty();
        boolean said = probe.sample().get(0).said();
        if (slow && left.isEmpty()) {
          assertThat(said).as("somebody is there").isTrue();
          slowAt = now;
          end = now + 600_000 * MS;
        }
        saidAt = said ? now : saidAt;
      }
    }
    return (saidAt - slowAt) / 1e9;
  }

  private long took(long nanos) {
    probes++;
    now += nanos;
    return nanos;
  }

  private static long[] idleThen(long... slow) {
    return LongStream.concat(LongStream.generate(() -> 6 * MS).limit(20), LongStream.of(slow))
        .toArray();
  }

  @Test
  void whatNoProbeConfirmsIsNotHeldForMinutes() throws Exception {
    assertThat(secondsHeldAfter(idleThen(3_000 * MS, 3_000 * MS)))
        .as("two slow writes beside a checkpoint")
        .isLessThan(15);
    now = 0;
    assertThat(secondsHeldAfter(idleThen(53_000 * MS, 53_000 * MS)))
        .as("a server that was stopped")
        .isLessThan(15);
  }

  @Test
  void itRestsAfterAProbeThatTookLongerThanItsRest() throws Exception {
    try (var probe = probe(() -> took(20_000 * MS))) {
      for (; now < 300_000 * MS; now += 250 * MS) {
        assertThat(probe.sample()).hasSize(1);
      }
    }
    assertThat(probes).as("one in 20 s and 10 s").isEqualTo(10);
  }

  @Test
  void anOriginThatCannotBeWrittenIsOneClearError() {
    var probe =
        probe(
            () -> {
              throw new IOException("Read-only file system");
            });
    assertThatThrownBy(probe::sample)
        .isInstanceOf(SignalException.class)
        .hasMessage("the probe cannot write to the origin: Read-only file system");
  }

  @Test
  void theFileIsPrivateAndDeletedAtTheEnd() throws Exception {
    try (var io = new FileProbe(temp, 1 << 16, true, true)) {
      assertThat(io.nanos()).isPositive();
      assertThat(io.nanos()).isPositive();
      try (var files = Files.list(temp)) {
        Path file = files.toList().get(0);
        assertThat(Files.size(file)).isEqualTo(1 << 16);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .isEqualTo("rw-------");
      }
    }
    assertThat(temp).isEmptyDirectory();
  }

  /** Who may write to the directory, too, can put one there. */
  @Test
  void aLinkInItsPlaceIsNotFollowed() throws Exception {
    Path other = Files.writeString(temp.resolve("thesis"), "of years");
    try (var io = new FileProbe(temp, 1 << 16, false, false)) {
      io.nanos();
      Path file;
      try (var files = Files.list(temp)) {
        file = files.filter(f -> !f.equals(other)).findFirst().orElseThrow();
      }
      Files.delete(file);
      Files.createSymbolicLink(file, other);
      assertThatThrownBy(io::nanos)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("replaced");
      Files.delete(file);
      assertThat(io.nanos()).as("made anew").isPositive();
    }
    assertThat(other).hasContent("of years");
  }
}
