package io.eley.controller.sense;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eley.bb.api.ReadTime;
import io.eley.controller.sense.BusyTest.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The parts of carrier sense, one by one; {@link CarrierSenseTest} has them together. */
class SensePartsTest {
  private static final long MS = 1_000_000;
  private static final double USUAL = Math.log(100 * MS);

  private final Trust trust = new Trust();
  private final RiseAlarm alarm = new RiseAlarm(trust);
  private final ReadBaseline baseline = new ReadBaseline();
  private final SingleReadTimes times = new SingleReadTimes();

  private void learn() {
    for (int i = 0; i < 50; i++) {
      baseline.learn(USUAL, i * 100L * MS);
    }
  }

  private boolean hear(double factor, long at) {
    return alarm.hear(baseline, USUAL + Math.log(factor), (at - 100) * MS, at * MS);
  }

  /** Of single reads that hardly differ. */
  private static final double SPREAD = 0.1;

  @Test
  void oneReadSpeaksForSomebodyButDoesNotDecideIt() {
    var test = new BusyTest();
    assertThat(test.take(5, BusyTest.NEITHER, SPREAD)).isEqualTo(Verdict.UNDECIDED);
    assertThat(test.leansToBusy()).isTrue();
    assertThat(test.take(Math.log(2), BusyTest.NEITHER, SPREAD)).isEqualTo(Verdict.BUSY);
    assertThat(test.leansToBusy()).as("a verdict begins a new test").isFalse();
    assertThat(test.take(0, BusyTest.NEITHER, SPREAD))
        .as("as fast as usual")
        .isEqualTo(Verdict.IDLE);
    assertThat(test.take(0.3, BusyTest.NEITHER, SPREAD)).isEqualTo(Verdict.UNDECIDED);
    assertThat(test.leansToIdle()).isTrue();
    test.begin();
    assertThat(test.leansToIdle()).isFalse();
  }

  @Test
  void theMoreReadsDifferTheMoreOfThemMustAgree() {
    var test = new BusyTest();
    for (int reads = 1; reads < 4; reads++) {
      assertThat(test.take(5, BusyTest.NEITHER, 0.6))
          .as("read %s", reads)
          .isEqualTo(Verdict.UNDECIDED);
    }
    assertThat(test.take(5, BusyTest.NEITHER, 0.6)).isEqualTo(Verdict.BUSY);
  }

  @Test
  void whatIsKnownToBeThereIsNotProvedAgain() {
    var test = new BusyTest();
    for (int i = 0; i < 10; i++) {
      assertThat(test.takeUntilIdle(2, BusyTest.NEITHER)).isFalse();
    }
    assertThat(test.takeUntilIdle(0, BusyTest.NEITHER)).isTrue();
  }

  @Test
  void anOutlierIsNoAlarmAndTwoSlowReadsAre() {
    learn();
    assertThat(hear(1, 100)).isFalse();
    assertThat(hear(20, 300)).isFalse();
    for (int i = 0; i < 10; i++) {
      assertThat(hear(1, 400 + i)).isFalse();
    }
    assertThat(hear(2.5, 600)).isFalse();
    assertThat(hear(2.5, 620)).isTrue();
    assertThat(alarm.since()).as("begin of the first slow one").isEqualTo(500 * MS);
    alarm.reset(620 * MS);
    assertThat(hear(2.5, 700)).isFalse();
  }

  @Test
  void threeOverdueReadsOfAnyNodesAtOnceAreAnAlarm() {
    learn();
    assertThat(RiseAlarm.overdue(baseline, USUAL + Math.log(1.4))).isFalse();
    assertThat(RiseAlarm.overdue(baseline, USUAL + Math.log(1.6))).isTrue();
    hear(1, 100);
    assertThat(alarm.hearOverdue("a", 2, 120 * MS)).isFalse();
    assertThat(alarm.hearOverdue("b", 1, 300 * MS)).as("a's are long ago").isFalse();
    assertThat(alarm.hearOverdue("a", 2, 320 * MS)).isTrue();
    assertThat(alarm.since()).as("when the last usual one ended").isEqualTo(100 * MS);
    alarm.forget("a");
    assertThat(alarm.hearOverdue("b", 1, 330 * MS)).isFalse();
  }

  @Test
  void trustIsLostByStepsToALimitAndComesBack() {
    trust.advance(0);
    assertThat(trust.nearlyFull()).isTrue();
    for (int i = 0; i < 20; i++) {
      trust.lose();
    }
    assertThat(trust.factor()).isEqualTo(2.5);
    learn();
    hear(2.5, 100);
    assertThat(hear(2.5, 120)).as("two are not enough any more").isFalse();
    trust.advance(60_000 * MS);
    assertThat(trust.factor()).isBetween(1.0, 1.05);
    assertThat(trust.nearlyFull()).isTrue();
  }

  @Test
  void singleReadsGrowRareInAPhaseAndBeginAnewNearItsUsualEnd() {
    times.beginPhase();
    long now = 0;
    var waits = new ArrayList<Long>();
    times.came(0);
    for (int i = 0; i < 9; i++) {
      long waited = 0;
      while (!times.dueInPhase(now)) {
        now += MS;
        waited++;
      }
      waits.add(waited);
      assertThat(times.ask(now)).isTrue();
      assertThat(times.free(now)).as("one at a time").isFalse();
      times.waitLonger(Optional.of(3000 * MS), now);
      times.came(now);
    }
    assertThat(waits).isEqualTo(List.of(100L, 150L, 225L, 338L, 507L, 760L, 800L, 800L, 100L));
  }

  @Test
  void whenFiveWereLostInARowNobodyReads() {
    for (int i = 0; i < 5; i++) {
      assertThat(times.ask(i * 500L * MS)).isTrue();
      assertThat(times.free(i * 500L * MS + 399 * MS)).isFalse();
      assertThat(times.free(i * 500L * MS + 401 * MS)).isTrue();
    }
    assertThat(times.ask(2500 * MS)).isFalse();
    assertThat(times.free(2000 * MS)).as("none is waited for").isTrue();
  }

  @Test
  void oneThatComesEndsTheRowOfLostOnesAndSoDoesANewQuestion() {
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 5; i++) {
        assertThat(times.ask(i * MS)).isTrue();
      }
      if (round == 1) {
        times.begin();
      } else {
        times.came(7 * MS);
      }
      assertThat(times.free(7 * MS)).isTrue();
    }
    assertThat(times.cameAt()).isEqualTo(7 * MS);
  }

  @Test
  void aReadIsLostWhenItHasTakenLongerThanFourHundredMilliseconds() {
    assertThat(times.free(0)).isTrue();
    assertThat(times.ask(100 * MS)).isTrue();
    assertThat(times.free(500 * MS)).isFalse();
    assertThat(times.free(500 * MS + 1)).isTrue();
  }

  @Test
  void beforeAPhaseThatIsExpectedOneIsDueEachHundredAndFiftyMilliseconds() {
    times.came(1000 * MS);
    assertThat(times.dueBeforePhase(1150 * MS - 1)).isFalse();
    assertThat(times.dueBeforePhase(1150 * MS)).isTrue();
  }

  @Test
  void distancesBeginAnewOnceAPhaseWhenItsUsualEndIsNear() {
    times.came(0);
    for (int phase = 0; phase < 2; phase++) {
      times.beginPhase();
      assertThat(times.dueInPhase(100 * MS)).isTrue();
      times.waitLonger(Optional.of(50 * MS), 50 * MS - 1);
      assertThat(times.dueInPhase(150 * MS - 1)).isFalse();
      times.waitLonger(Optional.of(50 * MS), 50 * MS);
      assertThat(times.dueInPhase(100 * MS)).as("near").isTrue();
      times.waitLonger(Optional.of(50 * MS), 50 * MS);
      assertThat(times.dueInPhase(150 * MS - 1)).as("once").isFalse();
      assertThat(times.dueInPhase(150 * MS)).isTrue();
    }
  }

  /** More than half of them met somebody. */
  @Test
  void whatReadsTakeIsWhatTheFastOnesOfTheLastHalfMinuteTake() {
    var quarter = new RecentQuantile();
    for (int i = 0; i < 12; i++) {
      quarter.learn(i % 3 == 0 ? USUAL : USUAL + 1, i * MS);
    }
    assertThat(quarter.value(0.25)).isEqualTo(USUAL);
    for (int i = 0; i < 290; i++) {
      quarter.learn(USUAL + 1, (100 + 100L * i) * MS);
    }
    assertThat(quarter.value(0.25)).as("too few fast ones are left").isEqualTo(USUAL + 1);
    for (int i = 0; i < 120; i++) {
      quarter.learn(USUAL, (29_100 + 100L * i) * MS);
    }
    assertThat(quarter.value(0.25)).as("fast ones have come back").isEqualTo(USUAL);
  }

  /** With it for a yardstick a node in wild noise held for minutes, once for 297 of 300 s. */
  @Test
  void aQuarterOfTheFirstFourIsNotTheQuickest() {
    var times = new RecentQuantile();
    for (int i = 0; i < RecentQuantile.ENOUGH; i++) {
      times.learn(USUAL + i, i * MS);
    }
    assertThat(times.value(0.25)).isEqualTo(USUAL + 1);
  }

  @Test
  void theFirstFewAreKeptHoweverLongAgoTheyWere() {
    var times = new RecentQuantile();
    for (int i = 0; i < 12; i++) {
      assertThat(times.known()).isEqualTo(i >= RecentQuantile.ENOUGH);
      times.learn(i < 4 ? USUAL : USUAL + 1, i * 60_000L * MS);
    }
    assertThat(times.value(0.25)).isEqualTo(USUAL);
    times.learn(USUAL + 1, 12 * 60_000L * MS);
    assertThat(times.value(0.25)).as("the oldest has gone").isEqualTo(USUAL + 1);
  }

  @Test
  void whatALoadTakesThatWasHardlyMetIsBoundedByWhatOthersTake() {
    for (int i = 0; i < 4; i++) {
      baseline.learn(USUAL + 1, i * MS);
    }
    assertThat(baseline.excess(USUAL + 1)).isZero();
    baseline.atMost(USUAL);
    assertThat(baseline.excess(USUAL + 1)).isEqualTo(1);
    for (int i = 4; i < 20; i++) {
      baseline.learn(USUAL + 1, i * 100L * MS);
    }
    assertThat(baseline.excess(USUAL + 1)).as("hardly any was faster: so it is").isZero();
  }

  /** Who was not noticed at first must not become what is usual. */
  @Test
  void readsOfWhichHalfMetSomebodyTellWhatTheOthersTake() {
    var random = new java.util.Random(3);
    baseline.atMost(USUAL + 0.2);
    for (int i = 0; i < 300; i++) {
      double noise = 0.2 * random.nextGaussian();
      baseline.learn(USUAL + noise + (i / 50 % 2 == 0 ? 1 : 0), i * 100L * MS);
    }
    assertThat(baseline.excess(USUAL + 1)).isGreaterThan(0.75);
    assertThat(baseline.spread()).as("of the faster ones").isLessThan(0.3);
  }

  /** The mount moves a read in 20 ms and the servers one in 10: 4 take 80 ms, and beside 4, too. */
  @Test
  void readsOfALoadThatIsNewAreComparedWithSingleOnesAndWithTheServersRate() {
    var baselines = new ReadBaselines();
    var single = new ReadTime(0, 20 * MS, 1 << 20, 1);
    for (int i = 0; i < 4; i++) {
      baselines.singles("a").learn(ReadBaselines.time(single), i * MS);
    }
    var four = new ReadTime(0, 80 * MS, 1 << 20, 4);
    for (int i = 0; i < 4; i++) {
      baselines.learn(baselines.of("b", four, 0), new ReadTime(0, 40 * MS, 1 << 20, 4), i * MS);
    }
    var slow = new ReadTime(0, 400 * MS, 1 << 20, 4);
    assertThat(baselines.of("a", slow, 0).known()).as("though no such read was seen").isTrue();
    for (int i = 0; i < 4; i++) {
      baselines.learn(baselines.of("a", slow, 0), slow, i * MS);
    }
    assertThat(baselines.of("b", slow, 0).known()).as("b has no single reads yet").isFalse();
    double excess = baselines.of("a", slow, 0).excess(ReadBaselines.time(slow));
    double most = Math.log(1.25 * 80 * MS + 10 * MS);
    assertThat(excess).isCloseTo(Math.log(410 * MS) - most, within(1e-6));
  }

  @Test
  void asManyReadsAreUsefulAsKeepTheOriginBusyAndHalfAsManyMore() {
    var baselines = new ReadBaselines();
    assertThat(baselines.useful("a")).isEmpty();
    for (String node : List.of("a", "b")) {
      for (int i = 0; i < 4; i++) {
        var single = new ReadTime(0, 40 * MS, 1 << 20, 1);
        baselines.singles(node).learn(ReadBaselines.time(single), i * MS);
      }
    }
    assertThat(baselines.useful("a")).as("nobody has read more than one").isEmpty();
    var eight = new ReadTime(0, 80 * MS, 1 << 20, 8);
    for (int i = 0; i < 4; i++) {
      baselines.learn(baselines.of("a", eight, 0), eight, i * MS);
    }
    assertThat(baselines.useful("a")).as("one each 10 ms: four in all, 1.5 times").contains(3);
    var few = new ReadTime(0, 80 * MS, 1 << 20, 2);
    var fewOnly = new ReadBaselines();
    for (int i = 0; i < 4; i++) {
      fewOnly.singles("a").learn(ReadBaselines.time(new ReadTime(0, 40 * MS, 1, 1)), i * MS);
      fewOnly.learn(fewOnly.of("a", few, 0), few, i * MS);
    }
    assertThat(fewOnly.useful("a"))
        .as("a mount that serves one: two, or who would know")
        .contains(2);
  }

  @Test
  void piecesOfAPhaseTeachOneLength() {
    var usual = new UsualLength(Duration.ofMillis(400));
    for (long at = 0; at < 30_000; at += 10_000) {
      usual.begin(at * MS);
      usual.end((at + 500) * MS);
      usual.begin((at + 900) * MS);
      usual.end((at + 5000) * MS);
    }
    usual.begin(30_000 * MS);
    assertThat(usual.ending()).contains(34_500 * MS);
    usual.end(30_500 * MS);
    usual.begin(30_901 * MS);
    assertThat(usual.ending()).as("another one").contains(35_401 * MS);
  }

  @Test
  void twoPhasesTellNoUsualLength() {
    var usual = new UsualLength(Duration.ofMillis(400));
    for (long at : new long[] {0, 10_000}) {
      usual.begin(at * MS);
      usual.end((at + 500) * MS);
    }
    usual.begin(20_000 * MS);
    assertThat(usual.ending()).isEmpty();
  }
}
