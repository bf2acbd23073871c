package io.eley.controller.phase;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our own traffic is taken out of what a file system's counters show. */
class ForeignBytesTest {
  private static final long MS = 1_000_000;

  /** Bursts of ours, and nodes that answer in time when they are asked as in production. */
  @Test
  void ourOwnTrafficAloneNeverLooksForeign() {
    long seed = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed of our traffic (-Deley.test.seed=...): " + seed);
    for (int i = 0; i < 50; i++) {
      var random = new Random(seed + i);
      assertThat(new OurTraffic(random, random.nextInt(60), 0).worstForeign())
          .as("bytes a second that look foreign, seed %d", seed + i)
          .isZero();
    }
  }

  /** With these an answer that another one had overtaken was the only one in time. */
  @ParameterizedTest
  @ValueSource(longs = {2896888599296L, 2828712488837L})
  void anAnswerThatWasOvertakenStillBoundsOurs(long seed) {
    var random = new Random(seed);
    assertThat(new OurTraffic(random, random.nextInt(60), 0).worstForeign()).isZero();
  }

  /** One answer in five is half a second late: bounds are missing, straight lines take over. */
  @Test
  void lateWordsMakeOursLookForeignSeldom() {
    long seed = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed of our traffic (-Deley.test.seed=...): " + seed);
    int phases = 0;
    int told = 0;
    for (int i = 0; i < 50; i++) {
      var traffic = new OurTraffic(new Random(seed + i), 20, 0.2);
      traffic.worstForeign();
      phases += traffic.phases;
      told += traffic.told;
    }
    System.out.printf("our own traffic, late words: %d of %d look like a phase%n", phases, told);
    assertThat(phases).isLessThan(told / 20);
  }

  /** Two minutes of one node that reads in bursts, and of the counters that see nobody else. */
  private static final class OurTraffic {
    private static final int SLACK = 100;
    private static final int INTERVAL = 1000;

    private final Random random;
    private final int delay;
    private final double late;
    private final ForeignBytes foreign =
        new ForeignBytes(Duration.ofMillis(SLACK), Duration.ofSeconds(1));
    private final double[] moved = new double[120_000];
    private final List<long[]> words = new ArrayList<>();
    private int told;
    private int phases;

    /**
     * @param delay milliseconds that a question and its answer take together, at most
     * @param late the part of the answers that come half a second later
     */
    OurTraffic(Random random, int delay, double late) {
      this.random = random;
      this.delay = delay;
      this.late = late;
      double rate = 0;
      for (int ms = 1; ms < moved.length; ms++) {
        if (ms % 70 == 0 && random.nextInt(5) == 0) {
          rate = random.nextInt(3) == 0 ? 0 : 400e3 * random.nextDouble();
        }
        moved[ms] = moved[ms - 1] + rate;
      }
      int renewal = random.nextInt(INTERVAL);
      for (int poll = INTERVAL; poll < moved.length - INTERVAL; poll += INTERVAL) {
        ask(poll + SLACK);
        ask(poll + INTERVAL - 2 * SLACK);
        ask(poll + renewal);
      }
      words.sort(Comparator.comparingLong(w -> w[1]));
    }

    private void ask(int asked) {
      int looks = asked + random.nextInt(delay + 1);
      int answers = looks + random.nextInt(asked + delay - looks + 1);
      int heard = answers + (random.nextDouble() < late ? 500 : 0);
      words.add(new long[] {asked, heard, (long) moved[Math.min(looks, moved.length - 1)]});
    }

    /** Bytes a second, at most. */
    double worstForeign() {
      double worst = 0;
      int next = 0;
      for (int ms = 0; ms < moved.length; ms++) {
        for (; next < words.size() && words.get(next)[1] <= ms; next++) {
          long[] word = words.get(next);
          foreign.observe("n", word[2], word[0] * MS, ms * MS);
        }
        if (ms % INTERVAL == 0 && ms > 2 * INTERVAL) {
          long bytes = (long) moved[ms] - (long) moved[ms - INTERVAL];
          foreign.addTotal(
              new Sighting(Evidence.SOMEBODY, (ms - INTERVAL) * MS, ms * MS, bytes, false));
        }
        for (var ready : foreign.ready(ms * MS)) {
          Sighting each = ready.sighting();
          told++;
          phases += each.bytesPerSecond() > 4 << 20 ? 1 : 0;
          worst = Math.max(worst, each.bytesPerSecond());
        }
      }
      assertThat(told).isBetween(110, 119);
      return worst;
    }
  }

  /** Another deployment reads in bursts and tells what it moved 1.2 s ago, 0.25 s late at most. */
  private static List<Double> besideANeighbour(ForeignBytes foreign, long hpc, int diesAt) {
    var random = new Random(7);
    var rates = new ArrayList<Double>();
    double moved = 0;
    double rate = 0;
    var history = new double[60_001];
    for (int ms = 1; ms <= 60_000; ms++) {
      if (ms % 500 == 0 && random.nextInt(4) == 0) {
        rate = rate > 0 ? 0 : 60_000;
      }
      moved += ms < diesAt ? rate : 0;
      history[ms] = moved;
      if (ms % 250 == 0 && ms < diesAt && ms > 1500) {
        int of = ms - 1200 - random.nextInt(250);
        foreign.observeNeighbour("n", (long) history[of], of * MS);
      }
      if (ms % 1000 == 0 && ms > 1000) {
        long total = (long) (history[ms] - history[ms - 1000]) + hpc;
        foreign.addTotal(new Sighting(Evidence.SOMEBODY, (ms - 1000) * MS, ms * MS, total, false));
      }
      foreign.ready(ms * MS).forEach(f -> rates.add(f.sighting().bytesPerSecond()));
    }
    return rates;
  }

  @Test
  void whatAnotherDeploymentMovesIsNotForeign() {
    var alone =
        besideANeighbour(
            new ForeignBytes(Duration.ofMillis(100), Duration.ofSeconds(1)), 0, 60_001);
    assertThat(alone).hasSizeGreaterThan(55);
    assertThat(alone.stream().skip(3).filter(r -> r > 4 << 20).count())
        .as("of %d seconds that look like a phase", alone.size())
        .isLessThanOrEqualTo(6);
    var beside =
        besideANeighbour(
            new ForeignBytes(Duration.ofMillis(100), Duration.ofSeconds(1)), 60_000_000, 60_001);
    assertThat(beside.stream().filter(r -> r > 4 << 20).count())
        .as("seconds of an HPC application that are seen")
        .isGreaterThan(beside.size() * 9L / 10);
  }

  @Test
  void otherDeploymentsAreDescribedWhileTheyTellWhatTheyMove() {
    var foreign = new ForeignBytes(Duration.ofMillis(100), Duration.ofSeconds(1));
    assertThat(foreign.describeNeighbours(0)).isEmpty();
    for (int i = 0; i <= 20; i++) {
      foreign.observeNeighbour("n", i * 10_000_000L, 250L * i * MS);
      foreign.observeNeighbour("idle", 7, 250L * i * MS);
    }
    assertThat(foreign.describeNeighbours(6000 * MS))
        .contains("neighbours: 2 other deployments here, 40 MB/s, which is nobody's phase");
    assertThat(foreign.describeNeighbours(11_001 * MS)).isEmpty();
  }

  /** What it moved last is not taken away for ever. */
  @Test
  void aDeploymentThatIsGoneTakesNothingAwayAfterSomeSeconds() {
    var rates =
        besideANeighbour(
            new ForeignBytes(Duration.ofMillis(100), Duration.ofSeconds(1)), 60_000_000, 30_000);
    assertThat(rates.subList(40, rates.size())).allMatch(rate -> rate == 60e6);
  }

  @Test
  void foreignTrafficIsSeenBesideOurs() {
    var foreign = new ForeignBytes(Duration.ofMillis(100), Duration.ofSeconds(1));
    for (int i = 0; i <= 20; i++) {
      foreign.observe("n", i * 10_000_000L, 200L * i * MS, 200L * i * MS); // 50 MB/s of ours
    }
    foreign.addTotal(new Sighting(Evidence.SOMEBODY, 1000 * MS, 2000 * MS, 150_000_000, false));
    var ready = foreign.ready(4000 * MS);
    assertThat(ready).hasSize(1);
    assertThat(ready.get(0).sighting().bytes()).isBetween(80_000_000L, 100_000_000L);
  }

  @Test
  void aNodeThatSaysNothingDoesNotKeepTheCountersWaiting() {
    var foreign = new ForeignBytes(Duration.ofMillis(100), Duration.ofSeconds(1));
    foreign.observe("n", 0, 0, 0);
    foreign.addTotal(new Sighting(Evidence.SOMEBODY, 0, 1000 * MS, 5, false));
    assertThat(foreign.ready(1500 * MS)).isEmpty();
    assertThat(foreign.ready(2200 * MS)).hasSize(1);
  }
}
