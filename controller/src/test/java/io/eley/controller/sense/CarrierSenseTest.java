package io.eley.controller.sense;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ReadTime;
import io.eley.controller.phase.SourceHealth;
import io.eley.controller.sense.CarrierSense.Others;
import io.eley.controller.sense.CarrierSense.State;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(600) // on a busy machine; a quiet one needs some seconds for each
@Execution(ExecutionMode.CONCURRENT)
class CarrierSenseTest {
  private static final long SEED =
      Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));

  private static SensedOrigin origin(int fetchers, double noise) {
    System.out.println("seed of the origin (-Deley.test.seed=...): " + SEED);
    return new SensedOrigin(SEED, fetchers, noise);
  }

  private static long at(double part, List<Long> values) {
    return values.stream().sorted().toList().get((int) Math.floor(part * (values.size() - 1)));
  }

  /** Bursts of 5.3 s after pauses of 3 to 4 s, as an IOR makes them. */
  @ParameterizedTest
  @CsvSource({
    // fetchers of a node, noise of a read, how many times as long one takes; bounds in ms: hold,
    // its begin in the ledger, its end felt (three quick reads in a row take a while in noise of
    // 20 %: with one seed of 20 more than 1500 in p95)
    "1, 0.1, 2.7, 150, 100, 1500",
    "4, 0.1, 2.7, 300, 150, 1500",
    "4, 0.2, 2.7, 350, 300, 2000",
    "8, 0.1, 2.7, 450, 300, 1500",
    "1, 0.1, 1.8, 300, 150, 1500",
    "4, 0.1, 1.8, 300, 150, 1500"
  })
  void everyBurstIsOnePhaseFeltAtItsBeginAndAtItsEnd(
      int fetchers, double noise, double times, long holdMillis, long beginMillis, long endMillis) {
    var origin = origin(fetchers, noise);
    origin.pass(5000);
    var holds = new ArrayList<Long>();
    var begins = new ArrayList<Long>();
    var ends = new ArrayList<Long>();
    for (int i = 0; i < 100; i++) {
      origin.pass(3000 + 37L * i % 1000);
      long began = origin.now;
      int before = origin.phases.size();
      origin.slowdown = times;
      holds.add(origin.passUntil(State.LISTENING, 5300));
      origin.pass(5300 - (origin.now - began));
      origin.slowdown = 1;
      ends.add(origin.passUntil(State.CLEAR, 5000));
      if (origin.phases.size() > before) {
        begins.add(Math.abs(origin.phases.get(before).since() - began));
      }
    }
    System.out.printf(
        "fetchers %d, noise %.1f, %.1f times: held p50 %d, p99 %d ms; begin off by %d, end felt p50 %d, p95 %d ms%n",
        fetchers,
        noise,
        times,
        at(0.5, holds),
        at(0.99, holds),
        at(0.95, begins),
        at(0.5, ends),
        at(0.95, ends));
    // With one seed of some hundred one of the first bursts of 1.8 times was not felt.
    assertThat(origin.phases).as("one a burst, but for a few").hasSizeBetween(99, 105);
    assertThat(at(0.99, holds)).as("hold, p99 of %s", holds).isLessThanOrEqualTo(holdMillis);
    assertThat(at(0.95, begins)).as("begin, p95 of %s", begins).isLessThanOrEqualTo(beginMillis);
    assertThat(at(0.95, ends)).as("end, p95 of %s", ends).isLessThanOrEqualTo(endMillis);
    assertThat(origin.chunksWhileSlow)
        .as("chunks that began in 100 bursts of 5.3 s")
        .isLessThan(100L * ((times < 2 ? 20 : 14) + 2L * fetchers));
  }

  @ParameterizedTest
  @CsvSource({"1, 0.1", "4, 0.1", "4, 0.2", "8, 0.1"})
  void listeningForNothingCostsLessThanTwoPercent(int fetchers, double noise) {
    System.out.println("first seed of the origin (-Deley.test.seed=...): " + SEED);
    int phases = 0;
    for (int run = 0; run < 3; run++) {
      var origin = new SensedOrigin(SEED + 7919L * run, fetchers, noise);
      origin.pass(600_000);
      assertThat(origin.heldMillis).isBetween(600L, 12_000L);
      assertThat(origin.sense.listenedInVain().toMillis()).isLessThanOrEqualTo(12_000);
      phases += origin.phases.size();
    }
    // One run in some hundred has one, of 0.1 s.
    assertThat(phases).as("phases by noise in three runs of ten minutes").isLessThanOrEqualTo(1);
  }

  /**
   * As Spark reads a table: what nodes read first is slow, as everything is that starts, and then
   * there is something to read for 700 ms, and nothing for 500.
   */
  @Test
  void aSlowStartAndAReaderWithPausesHideNoPhase() {
    System.out.println("first seed of the origin (-Deley.test.seed=...): " + SEED);
    int felt = 0;
    long chunks = 0;
    for (int seed = 0; seed < 6; seed++) {
      var origin = new SensedOrigin(SEED + 104_729L * seed, 4, 0.2);
      passPhasesBesideAReaderWithPauses(origin, 50);
      assertThat(origin.phases).as("one a phase, but for a few").hasSizeBetween(49, 54);
      felt += origin.phases.size();
      chunks += origin.chunksWhileSlow;
    }
    System.out.printf(
        "bursts of reading: %d phases, %d chunks read in 300 of them%n", felt, chunks);
    // Of 300 seeds two felt 49; the median read 15 chunks a phase, one of them 27.
    assertThat(felt).as("of 300").isGreaterThanOrEqualTo(299);
    assertThat(chunks).as("of some 25,200 without a hold").isLessThan(300L * 19);
  }

  /**
   * The same with other noise: once the first reads of each phase had become usual, none was found
   * any more, with one seed of four.
   */
  @Test
  void whatPhasesTakeDoesNotBecomeUsualWhateverTheNoise() {
    System.out.println("first seed of the origin (-Deley.test.seed=...): " + SEED);
    long all = 0;
    for (int seed = 0; seed < 12; seed++) {
      var origin = new SensedOrigin(SEED + 7919L * seed, 4, 0.2);
      passPhasesBesideAReaderWithPauses(origin, 40);
      all += origin.chunksWhileSlow;
      assertThat(origin.chunksWhileSlow)
          .as("of some 3,400 without a hold, seed %d", seed)
          .isLessThan(40L * 30);
    }
    assertThat(all).as("of all seeds").isLessThan(12 * 40L * 18);
  }

  /** After a slow start. */
  private static void passPhasesBesideAReaderWithPauses(SensedOrigin origin, int phases) {
    origin.slowdown = 1.6;
    origin.pass(400);
    origin.slowdown = 1;
    passReadingInBursts(origin, 10_000);
    for (int i = 0; i < phases; i++) {
      origin.slowdown = 2.7;
      passReadingInBursts(origin, 5300);
      origin.slowdown = 1;
      passReadingInBursts(origin, 5000 + 37L * i % 1000);
    }
  }

  private static void passReadingInBursts(SensedOrigin origin, long millis) {
    for (long end = origin.now + millis; origin.now < end; ) {
      origin.wanted = origin.now % 1200 < 700;
      origin.pass(1);
    }
  }

  /**
   * Reads that take from half to twice as long as usual without a reason. Of 400 runs of five
   * minutes the median was held for 1.3 % and the worst for 5 %.
   */
  @Test
  void wildNoiseCostsLessThanThreePercentInMostRunsAndNeverTen() {
    System.out.println("first seed of the origin (-Deley.test.seed=...): " + SEED);
    var held = new ArrayList<Long>();
    for (int run = 0; run < 12; run++) {
      var origin = new SensedOrigin(SEED + 7919L * run, 4, 0.4);
      origin.pass(300_000);
      held.add(origin.heldMillis);
    }
    System.out.printf(
        "wild noise: held p50 %.1f %%, at most %.1f %% of the time%n",
        at(0.5, held) / 3000.0, at(1, held) / 3000.0);
    assertThat(at(0.5, held)).as("median of %s, in ms of 300,000", held).isLessThan(9_000);
    assertThat(at(1, held)).as("the worst of %s, in ms of 300,000", held).isLessThan(30_000);
  }

  /** It grows over five seconds, so no rise is heard, but the gap for a single read finds it. */
  @Test
  void whoBeginsGentlyIsFoundInAListeningGap() {
    var origin = origin(4, 0.05);
    origin.pass(12_000);
    for (int i = 0; i < 500; i++) {
      origin.slowdown = Math.exp(i / 500.0);
      origin.pass(10);
    }
    long full = origin.now;
    origin.passUntil(State.FOREIGN, 15_000);
    assertThat(origin.now - full).isLessThanOrEqualTo(CarrierSense.GAP.toMillis() + 1000);
    assertThat(origin.sense.state()).isEqualTo(State.FOREIGN);
    assertThat(origin.phases).isNotEmpty();
  }

  @Test
  void aPhaseThatIsExpectedIsFoundThoughNobodyReads() {
    System.out.println("first seed of the origin (-Deley.test.seed=...): " + SEED);
    int near = 0;
    var all = new ArrayList<Long>();
    for (int seed = 0; seed < 40; seed++) {
      var origin = new SensedOrigin(SEED + 7919L * seed, 4, 0.1);
      origin.pass(5000);
      origin.others = new Others(false, false, true);
      origin.pass(1000);
      assertThat(origin.phases).isEmpty();
      long began = origin.now;
      origin.slowdown = 2.7;
      long found = origin.passUntil(State.FOREIGN, 2000);
      all.add(found);
      long begin = origin.phases.get(0).since();
      near += begin >= began - 100 && begin <= began + 300 ? 1 : 0;
    }
    System.out.println("begins of phases within 300 ms, of 40: " + near);
    // One of some 2,000 was found after 605 ms.
    assertThat(at(0.95, all)).as("p95 of %s", all).isLessThan(600);
    assertThat(at(1, all)).as("the last of %s", all).isLessThan(800);
    assertThat(near).as("begins within 300 ms, of 40").isGreaterThanOrEqualTo(36);
  }

  private static void countExactly(SensedOrigin origin, boolean silent) {
    origin.sense.noteExact(
        (origin.now - 250) * SensedOrigin.MS, silent, origin.now * SensedOrigin.MS);
  }

  @Test
  void whereCountersAreExactTheySayWhenItIsOverAndNobodyReads() {
    var origin = origin(4, 0.1);
    origin.pass(5000);
    origin.others = new Others(false, true, false);
    origin.slowdown = 2.7;
    origin.passUntil(State.FOREIGN, 2000);
    origin.pass(100); // the last test read is on its way
    long chunks = origin.chunksWhileSlow;
    for (int i = 0; i < 40; i++) {
      origin.pass(250);
      countExactly(origin, false);
    }
    assertThat(origin.chunksWhileSlow).as("no test reads").isEqualTo(chunks);
    countExactly(origin, true);
    assertThat(origin.sense.state()).isEqualTo(State.CLEAR);
    assertThat(origin.phases.get(0).end()).isEqualTo(origin.now - 250);
  }

  /** Tasks' reads that go on, or clients' past the buffer, are in all that they count. */
  @Test
  void whereCountersCannotBeExactSingleReadsFindTheEnd() {
    var origin = origin(4, 0.1);
    origin.pass(5000);
    origin.others = new Others(false, true, false);
    origin.slowdown = 2.7;
    origin.passUntil(State.FOREIGN, 2000);
    origin.pass(5000);
    origin.slowdown = 1;
    assertThat(origin.passUntil(State.CLEAR, 5000)).isLessThan(2000);
  }

  @Test
  void whatAnotherSourceSuspectsIsListenedToOnceUntilItHasProvedWorthIt() {
    var origin = origin(4, 0.1);
    origin.pass(5000);
    int listened = 0;
    for (int second = 0; second < 20; second++) {
      origin.sense.suspect(origin.now * SensedOrigin.MS, origin.now * SensedOrigin.MS);
      listened += origin.sense.state() == State.LISTENING ? 1 : 0;
      origin.pass(1000);
    }
    assertThat(listened).isBetween(1, 4);
    assertThat(origin.phases).isEmpty();
  }

  @Test
  void whatOthersSeeIsTheirs() {
    var origin = origin(4, 0.1);
    origin.pass(5000);
    origin.others = new Others(true, false, false);
    origin.slowdown = 2.7;
    origin.pass(5000);
    assertThat(origin.sense.state()).isEqualTo(State.CLEAR);
    assertThat(origin.phases).isEmpty();
  }

  @Test
  void itIsAbsentUntilSomethingWasRead() {
    var sense = new CarrierSense(new SensedOrigin(1, 1, 0));
    assertThat(sense.health(5).state()).isEqualTo(SourceHealth.State.ABSENT);
    assertThat(sense.health(5).message()).isEqualTo("nothing was read from the origin yet");
    assertThat(sense.learns("n1")).isTrue();
    for (int i = 1; i <= RecentQuantile.ENOUGH; i++) {
      sense.observe("n1", List.of(new ReadTime(0, 1000, 1 << 20, 1)), i * 10_000L);
    }
    assertThat(sense.learns("n1")).isFalse();
    assertThat(sense.health(50_000).state()).isEqualTo(SourceHealth.State.FRESH);
    sense.forget("n1");
    assertThat(sense.learns("n1")).as("a node that comes back learns anew").isTrue();
  }

  /** A file's last chunk may be a few bytes, which say nothing of how long a chunk takes. */
  @Test
  void shortReadsSayNothing() {
    var sense = new CarrierSense(new SensedOrigin(1, 1, 0));
    sense.observe("n1", List.of(new ReadTime(0, 1000, 1 << 20, 1)), 10_000);
    for (int i = 2; i <= 10; i++) {
      sense.observe("n1", List.of(new ReadTime(0, 10, 1 << 19, 1)), i * 10_000L);
    }
    assertThat(sense.learns("n1")).isTrue();
  }
}
