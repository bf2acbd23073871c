package io.eley.controller.sense;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ReadTime;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.PhaseListener;
import io.eley.controller.phase.SourceHealth;
import io.eley.controller.sense.CarrierSense.Others;
import io.eley.controller.sense.CarrierSense.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Carrier sense read by read, with times to the millisecond. A read takes 30 ms, and 90 beside
 * somebody: two slow ones are a rise, two more make sure that it is somebody, and two fast ones
 * that nobody is there.
 */
class CarrierSenseStepsTest {
  private static final long MS = 1_000_000;
  private static final int CHUNK = 1 << 20;
  private static final int FAST = 30;
  private static final int SLOW = 90;

  private static final Others OPEN = new Others(true, false, false);
  private static final Others EXACT = new Others(false, true, false);
  private static final Others EXPECTED = new Others(false, false, true);

  private final List<Long> opened = new ArrayList<>();
  private final List<String> closed = new ArrayList<>();
  private final CarrierSense sense =
      new CarrierSense(
          new PhaseListener() {
            @Override
            public void opened(Evidence phase) {
              opened.add(phase.since() / MS);
            }

            @Override
            public void closed(Evidence phase, long at, Ending why) {
              closed.add(why + " " + at / MS);
            }
          });

  /** Milliseconds. */
  private long now;

  /** A read that takes so long, and 10 ms before it. */
  private void read(int millis) {
    now += 10 + millis;
    tell(millis, 1);
  }

  /** A read that has just ended. */
  private void tell(int millis, double underWay) {
    sense.observe("a", List.of(new ReadTime(0, millis * MS, CHUNK, underWay)), now * MS);
  }

  private void twice(int millis) {
    read(millis);
    read(millis);
  }

  /** What learning has taken of it. */
  private Duration inVainAtFirst = Duration.ZERO;

  /** Fifteen fast single reads, from 100 ms to 1500, with a gap for one from 1200 to 1300. */
  private void learn() {
    for (int i = 0; i < 15; i++) {
      now += 60;
      read(FAST);
    }
    inVainAtFirst = sense.listenedInVain();
  }

  private Duration inVain() {
    return sense.listenedInVain().minus(inVainAtFirst);
  }

  /** The rise is heard at 1700 ms, and began with the first slow read at 1510. */
  private void listen() {
    learn();
    twice(SLOW);
    assertThat(sense.state()).isEqualTo(State.LISTENING);
    assertThat(now).isEqualTo(1700);
  }

  /** Two more slow reads until 1900 ms. */
  private void findSomebody() {
    listen();
    twice(SLOW);
    assertThat(sense.state()).isEqualTo(State.FOREIGN);
    assertThat(now).isEqualTo(1900);
  }

  private boolean wantsTest() {
    return sense.wantsTest(now * MS);
  }

  private void advance(Others others) {
    sense.advance(others, now * MS);
  }

  private void neighbours(boolean there, boolean loading) {
    sense.noteNeighbours(there, loading, now * MS);
  }

  @Test
  void aRiseIsListenedToAndIsAPhaseFromItsFirstSlowReadToTheFirstFastOne() {
    learn();
    read(SLOW);
    assertThat(sense.state()).as("one slow read").isEqualTo(State.CLEAR);
    read(SLOW);
    assertThat(sense.state()).isEqualTo(State.LISTENING);
    assertThat(sense.openPhases(now * MS)).isEmpty();
    assertThat(sense.busyAfter("somebody", 0)).isFalse();
    read(SLOW);
    assertThat(sense.state()).as("one read decides nothing").isEqualTo(State.LISTENING);
    read(SLOW);
    assertThat(sense.state()).isEqualTo(State.FOREIGN);
    assertThat(opened).containsExactly(1510L);
    assertThat(sense.openPhases(now * MS))
        .containsExactly(
            new Evidence(Evidence.SOMEBODY, "reads", 1510 * MS, CarrierSense.KIND.confidence()));
    assertThat(sense.busyAfter("somebody", 1700 * MS)).as("since it was heard").isTrue();
    assertThat(sense.busyAfter("somebody", 1700 * MS + 1)).isFalse();
    twice(FAST);
    assertThat(sense.state()).isEqualTo(State.CLEAR);
    assertThat(closed).as("when the read began that was sure").containsExactly("QUIET 1950");
    assertThat(sense.openPhases(now * MS)).isEmpty();
    assertThat(sense.disputes()).isZero();
    assertThat(inVain()).isZero();
  }

  @Test
  void aRiseThatWasNothingIsADisputeAndMakesSuspicionsCount() {
    listen();
    twice(FAST);
    assertThat(sense.state()).isEqualTo(State.CLEAR);
    assertThat(sense.disputes()).isEqualTo(1);
    assertThat(inVain()).isEqualTo(Duration.ofMillis(80));
    assertThat(opened).isEmpty();
    assertThat(closed).isEmpty();
    sense.suspect(now * MS, now * MS);
    assertThat(sense.state()).as("it has just come to nothing").isEqualTo(State.CLEAR);
    now += 20_000;
    advance(Others.NONE);
    sense.suspect((now - 500) * MS, now * MS);
    assertThat(sense.state()).as("forgotten with time").isEqualTo(State.LISTENING);
    twice(SLOW);
    assertThat(opened).as("when the other source says").containsExactly(21_280L);
  }

  @Test
  void whatOthersKnowIsNotSuspected() {
    learn();
    advance(OPEN);
    sense.suspect(now * MS, now * MS);
    assertThat(sense.state()).isEqualTo(State.CLEAR);
  }

  /** What tasks read meanwhile is slow; it says nothing of whoever is expected. */
  @Test
  void whoIsFeltInAPhaseThatOthersSeeIsTheirsThoughAnotherOneIsExpected() {
    learn();
    advance(new Others(true, false, true));
    twice(SLOW);
    twice(SLOW);
    assertThat(sense.state()).isEqualTo(State.CLEAR);
    advance(Others.NONE);
    twice(SLOW);
    assertThat(sense.state()).as("it hears who begins then").isEqualTo(State.LISTENING);
    twice(SLOW);
    assertThat(opened).hasSize(1);
  }

  /** An unannounced application, in whose phase another one announces a short one. */
  @Test
  void aPhaseWithANameEndsNobodyElsesThatWasFeltBefore() {
    findSomebody();
    advance(OPEN);
    now = 2900;
    sense.noteNamedOver(now * MS);
    advance(Others.NONE);
    assertThat(sense.state()).as("before prefetching goes on").isEqualTo(State.LISTENING);
    assertThat(closed).containsExactly("NAMED 2900");
    assertThat(wantsTest()).isTrue();
    twice(SLOW);
    assertThat(sense.state()).isEqualTo(State.FOREIGN);
    assertThat(opened).containsExactly(1510L, 2900L);
    assertThat(sense.busyAfter("somebody", 2900 * MS)).isTrue();
  }

  @Test
  void whoWasFeltAndThenNamedIsOverWithTheNamedPhase() {
    findSomebody();
    advance(OPEN);
    now = 2900;
    sense.noteNamedOver(now * MS);
    advance(Others.NONE);
    twice(FAST);
    assertThat(sense.state()).isEqualTo(State.CLEAR);
    assertThat(opened).containsExactly(1510L);
    assertThat(sense.disputes()).as("it was planned").isZero();
    sense.noteNamedOver(now * MS);
    assertThat(sense.state()).as("nobody was felt").isEqualTo(State.CLEAR);
  }

  /** Four slow reads would else be what is usual there, and the fifth no slower. */
  @Test
  void aNodeThatJoinsInAPhaseIsJudgedByWhatOthersTakeAndLearnsNothing() {
    findSomebody();
    for (int i = 0; i < 12; i++) {
      now += 10 + SLOW;
      sense.observe("b", List.of(new ReadTime(0, SLOW * MS, CHUNK, 1)), now * MS);
    }
    assertThat(sense.state()).isEqualTo(State.FOREIGN);
    assertThat(sense.learns("b")).isTrue();
    for (int i = 0; i < 2; i++) {
      now += 10 + FAST;
      sense.observe("b", List.of(new ReadTime(0, FAST * MS, CHUNK, 1)), now * MS);
    }
    assertThat(sense.state()).isEqualTo(State.CLEAR);
    assertThat(closed).hasSize(1);
  }

  @Test
  void whenAllWhoKnewWhatIsUsualHaveLeftNobodyKnowsWhetherAPhaseGoesOn() {
    findSomebody();
    sense.forget("a");
    now += 10 + SLOW;
    sense.observe("b", List.of(new ReadTime(0, SLOW * MS, CHUNK, 1)), now * MS);
    assertThat(closed).containsExactly("SOURCE_LOST " + now);
    assertThat(sense.state()).isEqualTo(State.CLEAR);
    assertThat(sense.learns("b")).isTrue();
  }

  @Test
  void everyTenSecondsOfReadingIsAGapWhichIsNoDispute() {
    learn();
    while (now < 11_300) {
      now += 60;
      read(FAST);
    }
    assertThat(sense.state()).as("ten seconds after the first gap").isEqualTo(State.CLEAR);
    read(FAST);
    assertThat(sense.state()).as("more").isEqualTo(State.LISTENING);
    twice(FAST);
    assertThat(sense.state()).isEqualTo(State.CLEAR);
    assertThat(sense.disputes()).isZero();
    assertThat(inVain()).isEqualTo(Duration.ofMillis(80));
    now += 9_900;
    read(FAST);
    assertThat(sense.state()).as("the gap begins the ten seconds anew").isEqualTo(State.CLEAR);
  }

  @Test
  void whileFewSingleReadsAreKnownThereIsAGapEverySecond() {
    for (int i = 0; i < 3; i++) {
      now += 460;
      read(FAST);
    }
    assertThat(sense.state()).as("one second after the first").isEqualTo(State.CLEAR);
    read(FAST);
    assertThat(sense.state()).isEqualTo(State.LISTENING);
  }

  @Test
  void somebodyWhoWasFoundInAGapDoesNotBecomeWhatIsUsual() {
    learn();
    now += 10_000;
    read(FAST);
    assertThat(sense.state()).isEqualTo(State.LISTENING);
    for (int i = 0; i < 60; i++) {
      read(SLOW);
    }
    assertThat(sense.state()).isEqualTo(State.FOREIGN);
    assertThat(opened).hasSize(1);
    assertThat(closed).isEmpty();
  }

  @Test
  void readsThatBeganBeforeItListensSayNothing() {
    listen();
    for (int i = 0; i < 4; i++) {
      now = 1789;
      tell(SLOW, 1);
    }
    assertThat(sense.state()).isEqualTo(State.LISTENING);
    now = 1810;
    for (int i = 0; i < 4; i++) {
      var late = new ReadTime(30 * MS, SLOW * MS, CHUNK, 1);
      sense.observe("a", List.of(late), now * MS);
    }
    assertThat(sense.state()).as("told of late").isEqualTo(State.LISTENING);
    now = 1790;
    tell(SLOW, 1);
    tell(SLOW, 1);
    assertThat(sense.state()).isEqualTo(State.FOREIGN);
  }

  @Test
  void readsThatTasksWaitForCountWhenPrefetchingHasStopped() {
    listen();
    now = 1850 + 500;
    tell(500, 4);
    tell(500, 4);
    assertThat(sense.state()).as("they may have met our own").isEqualTo(State.LISTENING);
    now++;
    tell(500, 4);
    assertThat(sense.state()).isEqualTo(State.LISTENING);
    tell(500, 4);
    assertThat(sense.state()).isEqualTo(State.FOREIGN);
  }

  @Test
  void aReadIsSingleWithAFifthOfAnotherUnderWay() {
    for (int i = 0; i < RecentQuantile.ENOUGH; i++) {
      now += 100;
      tell(FAST, 1.21);
    }
    assertThat(sense.learns("a")).isTrue();
    for (int i = 0; i < RecentQuantile.ENOUGH; i++) {
      now += 100;
      tell(FAST, 1.2);
    }
    assertThat(sense.learns("a")).isFalse();
    learn();
    twice(SLOW);
    assertThat(sense.state()).isEqualTo(State.LISTENING);
    now += SLOW + 10;
    tell(SLOW, 1.2);
    tell(SLOW, 1.2);
    assertThat(sense.state()).isEqualTo(State.FOREIGN);
  }

  @Test
  void aNodeThatIsNewLearnsFromTheReadsByWhichItListens() {
    listen();
    for (int i = 0; i < RecentQuantile.ENOUGH; i++) {
      now += 100;
      assertThat(sense.learns("b")).isTrue();
      sense.observe("b", List.of(new ReadTime(0, SLOW * MS, CHUNK, 1)), now * MS);
    }
    assertThat(sense.learns("b")).isFalse();
    assertThat(sense.state()).as("it could not tell slow from fast").isEqualTo(State.LISTENING);
  }

  @Test
  void howManyReadsAreUsefulIsKnownOnceSeveralWereUnderWay() {
    learn();
    assertThat(sense.useful("a")).isEmpty();
    for (int i = 0; i < RecentQuantile.ENOUGH; i++) {
      now += 100;
      tell(2 * FAST, 2);
    }
    assertThat(sense.useful("a")).contains(2);
  }

  @Test
  void aNodeThatHasLeftIsForgottenWithItsOverdueReads() {
    for (int i = 0; i < 6; i++) {
      read(FAST);
    }
    now += 501; // a reads nothing any more
    for (int i = 0; i < 6; i++) {
      now += 40;
      sense.observe("b", List.of(new ReadTime(0, FAST * MS, CHUNK, 1)), now * MS);
    }
    now += 60;
    underWay(overdue(2));
    sense.forget("a");
    assertThat(sense.learns("a")).isTrue();
    sense.observeUnderWay("b", overdue(1), now * MS);
    assertThat(sense.state()).isEqualTo(State.CLEAR);
    sense.observeUnderWay("b", overdue(3), now * MS);
    assertThat(sense.state()).isEqualTo(State.LISTENING);
  }

  @Test
  void aReadThatBeganInAPhaseBeginsNoNewOneBeforeItsEnd() {
    findSomebody();
    twice(FAST);
    assertThat(now).isEqualTo(1980);
    now = 2000;
    tell(SLOW, 1);
    now = 2100;
    tell(SLOW, 1);
    assertThat(sense.state()).isEqualTo(State.LISTENING);
    twice(SLOW);
    assertThat(opened).containsExactly(1510L, 1980L);
  }

  @Test
  void eachQuestionBeginsWithoutWhatWasHeardBefore() {
    findSomebody();
    read(FAST);
    sense.noteExact(1700 * MS, true, now * MS);
    assertThat(sense.state()).isEqualTo(State.CLEAR);
    twice(SLOW);
    assertThat(sense.state()).isEqualTo(State.LISTENING);
    read(FAST);
    assertThat(sense.state()).as("one fast read decides nothing").isEqualTo(State.LISTENING);
    read(FAST);
    assertThat(sense.state()).isEqualTo(State.CLEAR);
    advance(EXPECTED);
    read(SLOW);
    advance(Others.NONE);
    advance(EXPECTED);
    read(SLOW);
    assertThat(sense.state()).as("one slow read neither").isEqualTo(State.CLEAR);
  }

  @Test
  void aReadThatWasAskedForIsNoLongerWaitedForWhenTheQuestionIsAnother() {
    findSomebody();
    now = 2060;
    sense.noteTest(now * MS);
    sense.noteExact(1700 * MS, true, now * MS);
    advance(EXPECTED);
    assertThat(wantsTest()).as("the phase is over, another is expected").isTrue();
    sense.noteTest(now * MS);
    advance(Others.NONE);
    twice(SLOW);
    assertThat(sense.state()).isEqualTo(State.LISTENING);
    assertThat(wantsTest()).as("a rise").isTrue();
  }

  /** Three phases of twelve seconds, and what single reads are asked for in the fourth. */
  @Test
  void nearTheUsualEndOfAPhaseSingleReadsAreWantedSoonAgain() {
    for (int phase = 1; phase <= 4; phase++) {
      learn();
      long began = now;
      twice(SLOW);
      twice(SLOW);
      assertThat(sense.state()).as("phase %s", phase).isEqualTo(State.FOREIGN);
      assertWantedAfter(100);
      for (int i = 0; i < 7; i++) {
        sense.noteTest(now * MS);
        read(SLOW);
      }
      assertWantedAfter(800);
      now = began + 10_900;
      sense.noteTest(now * MS);
      read(SLOW);
      assertWantedAfter(phase < 4 ? 800 : 100);
      now = began + 12_000;
      twice(FAST);
      assertThat(sense.state()).isEqualTo(State.CLEAR);
    }
    assertThat(closed).hasSize(4);
  }

  private void assertWantedAfter(long millis) {
    now += millis - 1;
    assertThat(wantsTest()).isFalse();
    now++;
    assertThat(wantsTest()).as("after %s ms", millis).isTrue();
  }

  @Test
  void aReadOfMoreThanHalfAChunkCountsAsOne() {
    now = 100;
    tell(FAST, 1);
    for (int i = 0; i < RecentQuantile.ENOUGH; i++) {
      now += 100;
      sense.observe("b", List.of(new ReadTime(0, FAST * MS, CHUNK / 2, 1)), now * MS);
    }
    assertThat(sense.learns("b")).isTrue();
    for (int i = 0; i < RecentQuantile.ENOUGH; i++) {
      now += 100;
      sense.observe("b", List.of(new ReadTime(0, FAST * MS, CHUNK / 2 + 1, 1)), now * MS);
    }
    assertThat(sense.learns("b")).isFalse();
  }

  @Test
  void whileItListensOneReadAtATimeIsWantedAndALostOneIsAskedForAgain() {
    learn();
    assertThat(wantsTest()).as("nobody was heard").isFalse();
    twice(SLOW);
    assertThat(wantsTest()).isTrue();
    sense.noteTest(now * MS);
    now += 400;
    assertThat(wantsTest()).isFalse();
    now++;
    assertThat(wantsTest()).isTrue();
    sense.noteTest(now * MS);
    read(SLOW);
    assertThat(wantsTest()).as("it has come").isTrue();
    advance(OPEN);
    assertThat(wantsTest()).as("they know").isFalse();
  }

  @Test
  void inAPhaseSingleReadsAreWantedAtGrowingDistancesAndSoonWhenOneWasFast() {
    findSomebody();
    now += 99;
    assertThat(wantsTest()).isFalse();
    now++;
    assertThat(wantsTest()).isTrue();
    sense.noteTest(now * MS);
    read(SLOW);
    now += 149;
    assertThat(wantsTest()).isFalse();
    now++;
    assertThat(wantsTest()).isTrue();
    sense.noteTest(now * MS);
    read(FAST);
    assertThat(sense.state()).as("one fast read decides nothing").isEqualTo(State.FOREIGN);
    now += 49;
    assertThat(wantsTest()).as("a lull may be short").isFalse();
    now++;
    assertThat(wantsTest()).isTrue();
  }

  @Test
  void whereCountersAreExactNoReadsAreWantedForTwoSecondsAfterTheirLastWord() {
    findSomebody();
    advance(EXACT);
    now = 1700 + 1999;
    assertThat(wantsTest()).isFalse();
    now++;
    assertThat(wantsTest()).as("they were never exact in the phase").isTrue();
    sense.noteExact((now - 250) * MS, false, now * MS);
    now += 1999;
    assertThat(wantsTest()).isFalse();
    now++;
    assertThat(wantsTest()).isTrue();
    assertThat(sense.state()).isEqualTo(State.FOREIGN);
  }

  @Test
  void silenceThatWasCountedSinceItListensEndsThePhaseWhereItBegan() {
    findSomebody();
    sense.noteExact(1699 * MS, true, now * MS);
    assertThat(sense.state()).as("of before").isEqualTo(State.FOREIGN);
    sense.noteExact(1800 * MS, false, now * MS);
    assertThat(sense.state()).as("no silence").isEqualTo(State.FOREIGN);
    sense.noteExact(1700 * MS, true, now * MS);
    assertThat(sense.state()).isEqualTo(State.CLEAR);
    assertThat(closed).containsExactly("QUIET 1700");
    sense.noteExact(1800 * MS, true, now * MS);
    assertThat(closed).hasSize(1);
    assertThat(sense.disputes()).isZero();
  }

  @Test
  void whileAPhaseIsExpectedSingleReadsLookForItsBegin() {
    learn();
    advance(EXPECTED);
    assertThat(wantsTest()).isTrue();
    tell(SLOW, 1);
    assertThat(wantsTest()).as("one of before says nothing").isTrue();
    read(FAST);
    now += 149;
    assertThat(wantsTest()).isFalse();
    now++;
    assertThat(wantsTest()).isTrue();
    read(SLOW);
    assertThat(sense.state()).isEqualTo(State.CLEAR);
    assertThat(wantsTest()).as("it may be there: who knows at once?").isTrue();
    read(SLOW);
    assertThat(sense.state()).isEqualTo(State.FOREIGN);
    assertThat(opened).as("when the first slow one began").containsExactly(1700L);
    assertThat(sense.disputes()).isZero();
  }

  @Test
  void whereCountersAreExactNobodyReadsBeforeAPhaseThatIsExpected() {
    learn();
    now += 500;
    advance(new Others(false, true, true));
    assertThat(wantsTest()).isFalse();
    now += 2000;
    assertThat(wantsTest()).as("they said nothing").isTrue();
  }

  @Test
  void whatIsUsualWhileAPhaseIsExpectedIsNeitherAPhaseNorADispute() {
    learn();
    advance(EXPECTED);
    for (int i = 0; i < 6; i++) {
      read(FAST);
    }
    assertThat(sense.state()).isEqualTo(State.CLEAR);
    assertThat(sense.disputes()).isZero();
    assertThat(inVain()).isZero();
    assertThat(opened).isEmpty();
  }

  @Test
  void whatWasHeardBeforeAHoldOfOthersSaysNothingAfterIt() {
    learn();
    read(SLOW);
    advance(OPEN);
    read(SLOW);
    read(SLOW);
    assertThat(sense.state()).as("theirs").isEqualTo(State.CLEAR);
    advance(Others.NONE);
    read(SLOW);
    assertThat(sense.state()).isEqualTo(State.CLEAR);
    read(SLOW);
    assertThat(sense.state()).isEqualTo(State.LISTENING);
    advance(OPEN);
    assertThat(sense.state()).as("they know better").isEqualTo(State.CLEAR);
    assertThat(opened).isEmpty();
    assertThat(sense.disputes()).isZero();
  }

  @Test
  void nobodyReadsAnyMoreSoNothingIsKnownAndWhoReadsNextListensFirst() {
    findSomebody();
    for (int i = 0; i < 5; i++) {
      sense.noteTest(now * MS);
      assertThat(sense.state()).isEqualTo(State.FOREIGN);
      now += 500;
    }
    sense.noteTest(now * MS);
    assertThat(sense.state()).isEqualTo(State.CLEAR);
    assertThat(closed).as("when the last one came").containsExactly("SOURCE_LOST 1900");
    read(FAST);
    assertThat(sense.state()).isEqualTo(State.LISTENING);
    twice(FAST);
    assertThat(sense.disputes()).isZero();
  }

  @Test
  void besideOtherDeploymentsItWaitsForTheirWordBeforeItIsSomebody() {
    learn();
    neighbours(true, false);
    twice(SLOW);
    assertThat(sense.state()).isEqualTo(State.LISTENING);
    twice(SLOW);
    assertThat(sense.state()).as("a moment after the rise").isEqualTo(State.LISTENING);
    read(SLOW);
    now = 1510 + 700 - SLOW - 10;
    read(SLOW);
    assertThat(sense.state()).as("700 ms after its begin").isEqualTo(State.LISTENING);
    twice(SLOW);
    assertThat(sense.state()).isEqualTo(State.FOREIGN);
    assertThat(opened).containsExactly(1510L);
  }

  @Test
  void besideOneThatLoadsTheOriginItIsDeaf() {
    learn();
    neighbours(true, true);
    assertThat(sense.deaf()).isTrue();
    for (int i = 0; i < 20; i++) {
      read(SLOW);
    }
    sense.observeUnderWay("a", overdue(5), now * MS);
    assertThat(sense.state()).isEqualTo(State.CLEAR);
    now += 9_000;
    neighbours(true, false);
    assertThat(sense.deaf()).isFalse();
    read(SLOW);
    assertThat(sense.state()).as("the ten seconds to a gap begin anew").isEqualTo(State.CLEAR);
    read(SLOW);
    assertThat(sense.state()).as("slow ones of before were not learned").isEqualTo(State.LISTENING);
  }

  /** Else it would listen, and find the neighbour, for as long as that one reads. */
  @Test
  void besideOneThatLoadsTheOriginNothingIsSuspected() {
    learn();
    neighbours(true, true);
    sense.suspect(now * MS, now * MS);
    assertThat(sense.state()).isEqualTo(State.CLEAR);
    assertThat(wantsTest()).isFalse();
    neighbours(true, false);
    sense.suspect(now * MS, now * MS);
    assertThat(sense.state()).isEqualTo(State.LISTENING);
  }

  @Test
  void besideOneThatLoadsTheOriginNobodyLooksForAPhaseThatIsExpected() {
    learn();
    advance(EXPECTED);
    read(SLOW);
    neighbours(true, true);
    now += 1000;
    assertThat(wantsTest()).isFalse();
    for (int i = 0; i < 6; i++) {
      read(SLOW);
    }
    assertThat(sense.state()).isEqualTo(State.CLEAR);
    neighbours(false, false);
    assertThat(wantsTest()).isTrue();
    read(SLOW);
    assertThat(sense.state())
        .as("those that met the neighbour do not count")
        .isEqualTo(State.CLEAR);
    long began = now - SLOW;
    read(SLOW);
    assertThat(sense.state()).isEqualTo(State.FOREIGN);
    assertThat(opened).containsExactly(began);
  }

  @Test
  void oneThatBeginsToLoadTheOriginHidesWhoWasThere() {
    findSomebody();
    neighbours(true, false);
    assertThat(sense.state()).isEqualTo(State.FOREIGN);
    neighbours(true, true);
    assertThat(sense.state()).isEqualTo(State.CLEAR);
    assertThat(closed).containsExactly("SOURCE_LOST 1900");
    neighbours(false, true);
    assertThat(closed).hasSize(1);
  }

  @Test
  void whatWasHeardBeforeItWasDeafSaysNothingAfterIt() {
    learn();
    read(SLOW);
    neighbours(true, true);
    neighbours(true, false);
    read(SLOW);
    assertThat(sense.state()).isEqualTo(State.CLEAR);
    read(SLOW);
    assertThat(sense.state()).isEqualTo(State.LISTENING);
  }

  private static List<ReadTime> overdue(int count) {
    return Collections.nCopies(count, new ReadTime(0, 60 * MS, CHUNK, 1));
  }

  private void underWay(List<ReadTime> reads) {
    sense.observeUnderWay("a", reads, now * MS);
  }

  @Test
  void threeReadsThatAreOverdueAreARiseBeforeTheyEnd() {
    learn();
    now += 60;
    underWay(overdue(2));
    assertThat(sense.state()).isEqualTo(State.CLEAR);
    underWay(Collections.nCopies(5, new ReadTime(0, 60 * MS, CHUNK / 2, 1)));
    assertThat(sense.state()).as("ends of files").isEqualTo(State.CLEAR);
    underWay(Collections.nCopies(5, new ReadTime(0, FAST * MS, CHUNK, 1)));
    assertThat(sense.state()).as("as usual").isEqualTo(State.CLEAR);
    for (Others others : List.of(OPEN, EXPECTED)) {
      advance(others);
      underWay(overdue(5));
      assertThat(sense.state()).as("%s", others).isEqualTo(State.CLEAR);
    }
    advance(Others.NONE);
    underWay(overdue(3));
    assertThat(sense.state()).isEqualTo(State.LISTENING);
    twice(SLOW);
    assertThat(opened).as("nothing was heard since what others knew").containsExactly(1560L);
  }

  @Test
  void itsHealthSaysWhenItHasHeardSomething() {
    assertThat(sense.hears()).isFalse();
    now = 100;
    tell(FAST, 1);
    assertThat(sense.hears()).isTrue();
    assertThat(sense.health(107 * MS))
        .isEqualTo(new SourceHealth("reads", SourceHealth.State.FRESH, Duration.ofMillis(7), ""));
    assertThat(sense.health(93 * MS).age()).as("a clock read before").isZero();
    assertThat(sense.kind()).isSameAs(CarrierSense.KIND);
  }

  /** A disk that is rebuilt makes reads slow as well as an application does. */
  @Test
  void itsHealthDoubtsAnApplicationThatIsFeltForLong() {
    findSomebody();
    now = 1510 + 15 * 60_000 - 1;
    assertThat(sense.health(now * MS).message()).isEmpty();
    now++;
    assertThat(sense.health(now * MS).message())
        .contains("slow for 15 min", "origin itself has become slower");
    twice(FAST);
    assertThat(sense.health(now * MS).message()).isEmpty();
  }
}
