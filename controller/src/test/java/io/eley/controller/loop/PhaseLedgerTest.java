package io.eley.controller.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.UnderWay;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.SourceKind;
import io.eley.prefetcher.control.PhaseEntry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the ledger says of a phase, on virtual time: exact to the nanosecond. */
class PhaseLedgerTest {
  private final ControlRig rig = new ControlRig(BufferMode.FULL_DELAY);

  private PhaseEntry only() {
    assertThat(rig.entries).hasSize(1);
    return rig.entries.get(0);
  }

  /** A phase of so many milliseconds, and a pause of as many as a second. */
  private void phase(long millis) {
    rig.begin("ior");
    rig.run(millis);
    rig.loop.end("ior");
    rig.run(1000);
  }

  @Test
  void anEntryHasTheBeginTheLengthAndTheHold() {
    rig.node("a", 5);
    rig.node("b", 20);
    rig.timeline.advance(1000);
    rig.begin("ior");
    rig.timeline.advance(2500);
    rig.loop.end("ior");
    assertThat(rig.entries).as("the nodes report first").isEmpty();
    rig.timeline.advance(20);

    var entry = only();
    assertThat(entry.application()).isEqualTo("ior");
    assertThat(entry.source()).isEqualTo("announced");
    assertThat(entry.began()).isEqualTo(FakeTimeline.EPOCH.plusSeconds(1));
    assertThat(entry.length()).isEqualTo(Duration.ofMillis(2500));
    assertThat(entry.hold())
        .isEqualTo(new PhaseEntry.Hold(2, 2, false, Optional.of(Duration.ofMillis(20))));
    assertThat(entry.operator()).isEqualTo("full-delay");
    assertThat(entry.decision()).isEqualTo("full delay for ior");
    assertThat(entry.ending()).isEqualTo("ANNOUNCED");
    assertThat(entry.predicted()).isEmpty();
    assertThat(entry.alone()).isEmpty();
    assertThat(entry.foreignBytesPerSecond()).isEmpty();
    assertThat(entry.ourBytes()).isEmpty();
  }

  @Test
  void ourBytesCountFromTheConfirmationToTheFirstReportAfterThePhase() {
    var a = rig.node("a", 10);
    a.hasRead(ReadCause.PREFETCH, 1000);
    rig.timeline.advance(100);
    rig.begin("ior");
    a.hasRead(ReadCause.PREFETCH, 5000);
    rig.timeline.advance(10);
    a.hasMoved(new Moved(Map.of(ReadCause.PREFETCH, 5100L, ReadCause.DEMAND, 7L), 0));
    rig.timeline.advance(1000);
    rig.loop.end("ior");
    rig.timeline.advance(10);
    a.hasRead(ReadCause.PREFETCH, 9000);
    rig.run(2000);
    assertThat(only().ourBytes()).isEqualTo(Map.of(ReadCause.PREFETCH, 100L, ReadCause.DEMAND, 7L));
    assertThat(only().ourTotal()).isEqualTo(107);
  }

  @Test
  void laterConfirmationsInsideThePhaseDoNotMoveTheBeginOfTheAccount() {
    var a = rig.node("a", 0);
    a.hasRead(ReadCause.DEMAND, 100);
    rig.begin("ior");
    rig.timeline.settle();
    a.hasRead(ReadCause.DEMAND, 300);
    rig.run(5000);
    rig.loop.end("ior");
    rig.timeline.settle();
    assertThat(only().ourBytes()).isEqualTo(Map.of(ReadCause.DEMAND, 200L));
  }

  @Test
  void whereNothingIsHeldTheAccountIsInterpolatedBetweenReports() {
    var off = new ControlRig(BufferMode.NO_ACTION);
    var a = off.node("a", 0);
    for (int tenth = 1; tenth <= 45; tenth++) {
      a.hasRead(ReadCause.PREFETCH, 100L * tenth);
      off.run(100);
      if (tenth == 13) {
        off.begin("ior");
      } else if (tenth == 36) {
        off.loop.end("ior");
      }
    }
    assertThat(off.entries).hasSize(1);
    var entry = off.entries.get(0);
    assertThat(entry.length()).isEqualTo(Duration.ofMillis(2300));
    assertThat(entry.ourBytes()).containsOnlyKeys(ReadCause.PREFETCH);
    assertThat(entry.ourTotal()).as("reports are a second apart").isBetween(2200L, 2400L);
    assertThat(entry.hold()).isEqualTo(new PhaseEntry.Hold(1, 0, true, Optional.empty()));
    assertThat(entry.operator()).isEqualTo("no-action");
  }

  @Test
  void bytesOfSeveralNodesAreAddedAndANodeThatFellBackCountsNothing() {
    var a = rig.node("a", 0);
    var b = rig.node("b", 0);
    a.hasRead(ReadCause.DEMAND, 10);
    b.hasRead(ReadCause.DEMAND, 1000);
    rig.begin("ior");
    rig.timeline.settle();
    a.hasRead(ReadCause.DEMAND, 15);
    b.hasRead(ReadCause.DEMAND, 3);
    rig.timeline.advance(500);
    rig.loop.end("ior");
    rig.timeline.settle();
    assertThat(only().ourBytes()).isEqualTo(Map.of(ReadCause.DEMAND, 5L));
  }

  @Test
  void theOperatorIsTheOneAtThePhasesBegin() {
    var slow = new ControlRig(BufferMode.FULL_DELAY, "eley.delay.max", "1s");
    slow.node("a", 0);
    slow.begin("ior");
    slow.run(3000);
    assertThat(slow.loop.decision().reason()).contains("capped rate");
    slow.loop.end("ior");
    slow.run(100);
    assertThat(slow.entries).extracting(PhaseEntry::decision).containsExactly("full delay for ior");
    assertThat(slow.entries.get(0).hold().tasksPassed()).as("at some time of it").isTrue();
  }

  @Test
  void tasksDidNotPassWhileTheyWaited() {
    rig.node("a", 0);
    phase(2000);
    assertThat(only().hold().tasksPassed()).isFalse();
    assertThat(only().hold().complete()).isTrue();
  }

  @Test
  void tasksPassWhereThePolicySaysSo() {
    var open = new ControlRig(BufferMode.FULL_DELAY, "eley.hold.demand", "pass");
    open.node("a", 0);
    open.begin("ior");
    open.run(500);
    open.loop.end("ior");
    open.run(100);
    assertThat(open.entries).extracting(e -> e.hold().tasksPassed()).containsExactly(true);
  }

  @Test
  void theForeignRateIsTheMeanOverTheDecisionsInThePhase() {
    rig.node("a", 0);
    rig.loop.add(SourceKind.sampled("slurm", 0.9, Duration.ofSeconds(1), Duration.ofSeconds(5)));
    rig.timeline.advance(1000);
    for (long bytes : List.of(100_000_000L, 300_000_000L)) {
      rig.saw("slurm", "ior", 1000, bytes);
      rig.run(900);
      rig.timeline.advance(100);
    }
    rig.saw("slurm", "ior", 1000, 0);
    rig.run(1100);
    assertThat(only().foreignBytesPerSecond().orElseThrow()).isCloseTo(200e6, within(1.0));
    assertThat(only().source()).isEqualTo("slurm");
    assertThat(only().ending()).isEqualTo("QUIET");
  }

  /** Slurm sees the bytes of one interval in two: pieces that it cannot tell apart. */
  private void pieces() {
    rig.loop.add(SourceKind.sampled("slurm", 0.9, Duration.ofSeconds(1), Duration.ofSeconds(5)));
    for (int second = 0; second < 6; second++) {
      rig.timeline.advance(1000);
      rig.saw("slurm", "ior", 1000, second % 2 == 0 ? 100_000_000L : 0);
    }
  }

  @Test
  void piecesOfAPhaseAreOneEntryThatSaysSo() {
    rig.node("a", 0);
    pieces();
    assertThat(rig.closed).as("what is held for goes by what is seen").hasSize(3);
    rig.run(1100);
    assertThat(only().length()).isEqualTo(Duration.ofSeconds(5));
    assertThat(only().began()).isEqualTo(FakeTimeline.EPOCH);
    assertThat(only().observed())
        .isEqualTo(new PhaseEntry.Observed("QUIET", Duration.ofSeconds(1), "3 pieces"));
  }

  @Test
  void whatIsReadBetweenThePiecesIsReadInThePhase() {
    var a = rig.node("a", 0);
    a.hasRead(ReadCause.PREFETCH, 1000);
    rig.run(2000);
    rig.loop.add(SourceKind.sampled("slurm", 0.9, Duration.ofSeconds(1), Duration.ofSeconds(5)));
    rig.timeline.advance(1000);
    rig.saw("slurm", "ior", 1000, 100_000_000);
    rig.timeline.advance(1000);
    rig.saw("slurm", "ior", 1000, 0);
    rig.timeline.settle();
    a.hasRead(ReadCause.PREFETCH, 1700);
    rig.timeline.advance(1000);
    rig.saw("slurm", "ior", 1000, 100_000_000);
    rig.timeline.advance(1000);
    rig.saw("slurm", "ior", 1000, 0);
    a.hasRead(ReadCause.PREFETCH, 1750); // when the phase had been over for a second
    rig.run(1100);
    assertThat(only().ourBytes()).isEqualTo(Map.of(ReadCause.PREFETCH, 700L));
  }

  @Test
  void aPhaseOfACommandIsThatOfItsBytes() {
    rig.node("a", 10);
    rig.loop.add(SourceKind.sampled("slurm", 0.9, Duration.ofMillis(500), Duration.ofSeconds(5)));
    rig.timeline.advance(10_000);
    rig.begin("ior");
    rig.timeline.advance(1000);
    for (int i = 0; i < 4; i++) {
      rig.timeline.advance(500);
      rig.saw("slurm", "ior", 500, 50_000_000);
    }
    rig.timeline.advance(1000);
    rig.saw("slurm", "ior", 500, 0);
    rig.loop.end("ior");
    rig.run(100);
    var entry = only();
    assertThat(entry.began()).isEqualTo(FakeTimeline.EPOCH.plusSeconds(11));
    assertThat(entry.length()).isEqualTo(Duration.ofSeconds(2));
    assertThat(entry.source()).isEqualTo("announced+slurm");
    assertThat(entry.observed().corrections())
        .isEqualTo("begin +1.00 s by slurm, end -1.00 s by slurm");
    assertThat(entry.hold().latency()).as("all held before its first byte").contains(Duration.ZERO);
  }

  @Test
  void aPhaseThatIsNoticedLateBeganWhenItBegan() {
    rig.node("a", 0);
    rig.loop.add(SourceKind.sampled("slurm", 0.9, Duration.ofSeconds(1), Duration.ofSeconds(5)));
    rig.timeline.advance(10_000);
    rig.saw("slurm", "ior", 1000, 100_000_000);
    rig.timeline.advance(100);
    rig.loop.begin("other", Duration.ofMillis(1), rig.answers::add);
    rig.timeline.advance(1000);
    rig.saw("slurm", "ior", 1000, 0);
    rig.run(1100);
    assertThat(rig.entries).extracting(PhaseEntry::application).contains("ior");
    var entry =
        rig.entries.stream().filter(e -> e.application().equals("ior")).findFirst().orElseThrow();
    assertThat(entry.began()).isEqualTo(FakeTimeline.EPOCH.plusSeconds(9));
    assertThat(entry.length()).as("to the last busy interval").isEqualTo(Duration.ofSeconds(1));
    assertThat(entry.hold().latency()).as("from its begin").contains(Duration.ofSeconds(1));
  }

  @Test
  void aNodeThatSaysNothingKeepsTheEntryForThreeSecondsAndNoLonger() {
    rig.node("a", 0);
    rig.silentNode("b");
    rig.timeline.advance(500);
    rig.begin("ior");
    rig.timeline.settle();
    rig.loop.end("ior");
    rig.run(3000);
    assertThat(rig.entries).isEmpty();
    rig.run(1);
    assertThat(only().hold()).isEqualTo(new PhaseEntry.Hold(2, 1, false, Optional.empty()));
    rig.run(5000);
    assertThat(rig.entries).hasSize(1);
  }

  /** What is over by the next report was under way when the hold was confirmed all the same. */
  @Test
  void anEntryHasWhatNodesWereReadingWhenTheyConfirmed() {
    var a = rig.node("a", 5);
    var b = rig.node("b", 20);
    rig.timeline.advance(1000);
    a.hasMoved(new Moved(Map.of(ReadCause.PREFETCH, 10L), 0, 0, new UnderWay(3, 8)));
    b.hasMoved(new Moved(Map.of(), 0, 0, new UnderWay(4, 16)));
    rig.begin("ior");
    rig.timeline.advance(100);
    a.hasMoved(new Moved(Map.of(ReadCause.PREFETCH, 13L), 0, 0, new UnderWay(0, 8)));
    b.hasMoved(new Moved(Map.of(ReadCause.PREFETCH, 4L), 0, 0, new UnderWay(0, 16)));
    rig.timeline.advance(2400);
    rig.loop.end("ior");
    rig.timeline.advance(20);
    assertThat(only().hold().underWay()).isEqualTo(new UnderWay(7, 24));
    assertThat(only().ourTotal()).as("all of it came in the phase").isEqualTo(7);
  }

  @Test
  void withoutNodesTheEntryIsThereWithTheNextTick() {
    rig.begin("ior");
    rig.timeline.advance(700);
    rig.loop.end("ior");
    rig.loop.tick();
    assertThat(only().hold()).isEqualTo(new PhaseEntry.Hold(0, 0, false, Optional.empty()));
    assertThat(only().hold().complete()).isFalse();
  }

  @Test
  void aNodeThatLeavesInsideThePhaseStillCountsAsOneThatHeld() {
    rig.node("a", 0);
    var b = rig.node("b", 0);
    rig.begin("ior");
    rig.timeline.advance(100);
    rig.loop.leave(List.of(b.id()));
    rig.loop.end("ior");
    rig.timeline.settle();
    assertThat(only().hold().nodes()).isEqualTo(2);
    assertThat(only().hold().confirmed()).isEqualTo(2);
  }

  /**
   * Held while another one is there of which nothing is known; climate leaves room for fetchers.
   */
  @Test
  void aPhaseWithinWhichPrefetchingWentOnIsNotHeldAndTeachesNoLengthAlone() {
    var down = ControlRig.thatScalesDown();
    var a = down.node("a", 5);
    down.fetch(a, 3000, 4_000_000);
    for (int i = 0; i < 4; i++) {
      down.begin("climate");
      down.begin("other");
      down.timeline.advance(5);
      assertThat(down.loop.decision().held()).as("the other's rate is not known").isTrue();
      down.timeline.advance(995);
      down.loop.end("other");
      for (int second = 0; second < 5; second++) {
        down.saw("slurm", "climate", 1000, 20_000_000);
        assertThat(down.loop.decision().operator()).isEqualTo("scale-down");
        down.run(1000);
      }
      down.loop.end("climate");
      down.saw("slurm", "climate", 1000, 0);
      down.run(3000);
    }
    var climates = down.entries.stream().filter(e -> e.application().equals("climate")).toList();
    assertThat(climates)
        .hasSize(4)
        .allMatch(e -> !e.hold().complete())
        .extracting(PhaseEntry::hold)
        .containsOnly(new PhaseEntry.Hold(1, 0, false, Optional.empty()));
    assertThat(climates.get(3).alone())
        .as("of the three that were held for")
        .contains(new PhaseEntry.Alone(Duration.ofSeconds(10), 0));
  }

  @Test
  void theLengthAloneIsKnownFromTheFourthProtectedPhaseOn() {
    rig.node("a", 0);
    for (int i = 0; i < 4; i++) {
      phase(1000 + 100 * i);
    }
    assertThat(rig.entries).hasSize(4);
    assertThat(rig.entries)
        .extracting(e -> e.alone().isPresent())
        .containsExactly(false, false, false, true);
    assertThat(rig.entries.get(3).alone().orElseThrow().length())
        .isEqualTo(Duration.ofMillis(1100));
  }

  @Test
  void whatWasLearnedComesBackFromTheEntriesOfEarlierRuns() {
    rig.node("a", 0);
    for (int i = 0; i < 3; i++) {
      phase(1000);
    }
    var second = new ControlRig(BufferMode.FULL_DELAY);
    second.loop.learn(rig.entries);
    second.node("a", 0);
    second.begin("ior");
    second.run(1000);
    second.loop.end("ior");
    second.run(100);
    assertThat(second.entries).hasSize(1);
    assertThat(second.entries.get(0).alone().orElseThrow().length())
        .isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void twoPhasesAtOnceHaveAnEntryEach() {
    var a = rig.node("a", 0);
    rig.begin("ior");
    rig.timeline.advance(100);
    a.hasRead(ReadCause.DEMAND, 10);
    rig.begin("lammps");
    rig.timeline.advance(100);
    rig.loop.end("ior");
    rig.timeline.settle();
    assertThat(rig.entries).extracting(PhaseEntry::application).containsExactly("ior");
    rig.timeline.advance(100);
    rig.loop.end("lammps");
    rig.timeline.settle();
    assertThat(rig.entries).extracting(PhaseEntry::application).containsExactly("ior", "lammps");
    assertThat(rig.entries.get(0).ourTotal()).isEqualTo(10);
    assertThat(rig.entries.get(0).length()).isEqualTo(Duration.ofMillis(200));
    assertThat(rig.entries.get(1).ourTotal()).isZero();
    assertThat(rig.entries.get(1).length()).isEqualTo(Duration.ofMillis(200));
  }

  @Test
  void aForecastPhaseSaysWhetherPermitsWereClosedBeforeIt() {
    rig.node("a", 0);
    periodic(6);
    assertThat(rig.loop.forecasts()).hasSize(1);
    rig.run(9900);
    rig.timeline.advance(100);
    assertThat(rig.loop.heldFor()).as("held before it comes").isPositive();
    rig.begin("ior");
    rig.run(1000);
    rig.loop.end("ior");
    rig.run(100);
    var predicted = rig.entries.get(6).predicted().orElseThrow();
    assertThat(predicted.closedBefore()).isTrue();
    assertThat(predicted.begin()).isEqualTo(rig.entries.get(6).began());
    assertThat(predicted.length()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void aPhaseThatComesBeforeItsGuardWasNotClosedBefore() {
    rig.node("a", 0);
    periodic(6);
    rig.run(5000);
    rig.begin("ior");
    rig.run(1000);
    rig.loop.end("ior");
    rig.run(100);
    assertThat(rig.entries.get(6).predicted().orElseThrow().closedBefore()).isFalse();
    assertThat(rig.loop.scores().early()).isEqualTo(1);
  }

  @Test
  void aPhaseThatComesInItsGuardWithoutTheNodesConfirmationWasNotClosedBefore() {
    var a = rig.node("a", 0);
    periodic(6);
    a.fallSilent();
    rig.run(9900);
    rig.timeline.advance(100);
    rig.begin("ior");
    rig.run(1000);
    rig.loop.end("ior");
    rig.run(4000);
    assertThat(rig.entries.get(6).predicted().orElseThrow().closedBefore()).isFalse();
  }

  /** So many phases of 1 s, from the end of each to the begin of the next 10 s. */
  private void periodic(int phases) {
    for (int i = 0; i < phases; i++) {
      if (i > 0) {
        rig.run(10_000);
      }
      rig.begin("ior");
      rig.run(1000);
      rig.loop.end("ior");
      rig.timeline.settle();
    }
    assertThat(rig.entries).hasSize(phases);
  }

  @Test
  void aForecastThatIsHeldForIsTimeWithoutNeed() {
    rig.node("a", 0);
    periodic(6);
    var before = rig.loop.heldWithoutNeed();
    rig.run(12_000);
    assertThat(rig.loop.heldWithoutNeed()).isGreaterThan(before);
    assertThat(rig.loop.heldFor()).as("it did not come").isZero();
    assertThat(rig.loop.scores().absent()).isEqualTo(1);
    assertThat(rig.decisions).extracting(d -> d.reason()).contains("a phase of ior is expected");
  }

  @Test
  void aPhaseOfSomebodyIsAccountedForUnderThatName() {
    rig.loop.add(SourceKind.sampled("probe", 0.6, Duration.ofSeconds(1), Duration.ofSeconds(5)));
    rig.timeline.advance(1000);
    rig.saw("probe", Evidence.SOMEBODY, 1000, 100_000_000);
    rig.timeline.advance(1000);
    rig.saw("probe", Evidence.SOMEBODY, 1000, 0);
    rig.run(1100);
    assertThat(only().application()).isEqualTo(Evidence.SOMEBODY);
  }

  @Test
  void whatClientsReadPastTheBufferInThePhaseIsInItsEntry() {
    rig.run(1000);
    rig.loop.noteFallback(past(ReadCause.FALLBACK, 1000, 250));
    rig.begin("ior");
    assertThat(rig.loop.openPhases()).extracting(Evidence::application).containsExactly("ior");
    rig.run(100);
    rig.loop.noteFallback(past(ReadCause.FALLBACK, 700, 100));
    rig.loop.noteFallback(past(ReadCause.DIRECT, 30, 100));
    rig.loop.end("ior");
    rig.run(400);
    assertThat(rig.loop.openPhases()).isEmpty();
    assertThat(rig.entries).as("a report may be under way").isEmpty();
    rig.run(200);
    assertThat(rig.entries).hasSize(1);
    assertThat(rig.entries.get(0).ourBytes())
        .isEqualTo(Map.of(ReadCause.FALLBACK, 700L, ReadCause.DIRECT, 30L));
  }

  @Test
  void whatANodeHadReadBeforeItJoinedIsNotReadInAPhaseThatWasOver() {
    rig.loop.add(SourceKind.sampled("slurm", 0.9, Duration.ofSeconds(1), Duration.ofSeconds(5)));
    rig.timeline.advance(1000);
    rig.saw("slurm", "ior", 1000, 100_000_000);
    rig.timeline.advance(1000);
    rig.saw("slurm", "ior", 1000, 0);
    assertThat(rig.closed).hasSize(1);
    assertThat(rig.entries).as("it may go on").isEmpty();
    var a = rig.silentNode("a");
    a.hasRead(ReadCause.PREFETCH, 10_000_000_000_000L);
    a.confirm(rig.loop);
    rig.run(1100);
    assertThat(only().ourTotal()).isZero();
  }

  @Test
  void whatANodeHadReadBeforeItsFirstReportIsNotReadInAPhaseBeforeThat() {
    var a = rig.silentNode("a");
    a.hasRead(ReadCause.PREFETCH, 10_000_000_000_000L);
    rig.begin("ior");
    rig.run(500);
    rig.loop.end("ior");
    a.confirm(rig.loop);
    rig.run(1000);
    assertThat(only().ourTotal()).isZero();
  }

  @Test
  void whatANodeMovedInThePhaseCountsThoughItHasLeft() {
    var off = new ControlRig(BufferMode.NO_ACTION);
    off.node("a", 0);
    var b = off.node("b", 0);
    b.hasRead(ReadCause.PREFETCH, 1_000_000);
    off.run(2000);
    off.begin("ior");
    off.run(1000);
    b.hasRead(ReadCause.PREFETCH, 6_000_000);
    off.run(1000);
    off.loop.leave(List.of(b.id()));
    off.run(1000);
    off.loop.end("ior");
    off.run(2000);
    assertThat(off.entries).hasSize(1);
    assertThat(off.entries.get(0).ourTotal()).isEqualTo(5_000_000);
  }

  /** As one that was killed, and is started again before anybody misses it. */
  @Test
  void whatANodeMovedInThePhaseCountsThoughItBeginsAnew() {
    var off = new ControlRig(BufferMode.NO_ACTION);
    off.node("a", 0);
    var b = off.node("b", 0);
    b.hasRead(ReadCause.PREFETCH, 1_000_000);
    off.run(2000);
    off.begin("ior");
    off.run(1000);
    b.hasRead(ReadCause.PREFETCH, 6_000_000);
    off.run(1000);
    // The second one reads more than the first had; the third comes in the same phase, too.
    for (long read : List.of(7_000_000L, 500_000L)) {
      b.fallSilent();
      b = off.node("b", 0);
      off.run(1000);
      b.hasRead(ReadCause.PREFETCH, read);
      off.run(1000);
    }
    off.loop.end("ior");
    off.run(2000);
    assertThat(off.entries).hasSize(1);
    assertThat(off.entries.get(0).ourTotal()).isEqualTo(12_500_000);
  }

  @Test
  void whatANodeMovedInAPhaseThatIsOverCountsThoughItLeavesBeforeItReports() {
    var off = new ControlRig(BufferMode.NO_ACTION);
    off.silentNode("a");
    var b = off.node("b", 0);
    off.begin("ior");
    off.timeline.settle();
    b.hasRead(ReadCause.PREFETCH, 5_000_000);
    off.run(1000);
    b.fallSilent();
    off.loop.end("ior");
    off.loop.leave(List.of(b.id()));
    off.run(4000);
    assertThat(off.entries).hasSize(1);
    assertThat(off.entries.get(0).ourTotal()).isEqualTo(5_000_000);
  }

  /** A phase of two seconds of bytes whose pieces a second without any lies between. */
  private final class TwoPieces {
    final FakeBufferNode b;

    TwoPieces() {
      rig.node("a", 0);
      b = rig.node("b", 0);
      b.hasRead(ReadCause.PREFETCH, 1000);
      rig.run(2000);
      rig.loop.add(SourceKind.sampled("slurm", 0.9, Duration.ofSeconds(1), Duration.ofSeconds(5)));
      second(100_000_000);
      rig.timeline.settle();
      b.hasRead(ReadCause.PREFETCH, 1700);
    }

    void second(long bytes) {
      rig.timeline.advance(1000);
      rig.saw("slurm", "ior", 1000, bytes);
    }

    PhaseEntry end() {
      second(0);
      rig.run(1100);
      return only();
    }
  }

  @Test
  void whatANodeMovedCountsThoughItHasReportedAndLeavesBetweenThePieces() {
    var phase = new TwoPieces();
    phase.second(0);
    rig.timeline.settle();
    rig.loop.leave(List.of(phase.b.id()));
    phase.second(100_000_000);
    assertThat(phase.end().ourBytes()).isEqualTo(Map.of(ReadCause.PREFETCH, 700L));
  }

  @Test
  void whatANodeMovedCountsToThePhasesLastEndThoughItLeftAfterTheFirst() {
    var phase = new TwoPieces();
    phase.b.fallSilent();
    phase.second(0);
    phase.b.confirm(rig.loop);
    rig.loop.leave(List.of(phase.b.id()));
    phase.second(100_000_000);
    assertThat(phase.end().ourBytes()).isEqualTo(Map.of(ReadCause.PREFETCH, 700L));
  }

  @Test
  void whatANodeMovedAfterThePhasesOnlyEndIsNotOfIt() {
    var phase = new TwoPieces();
    phase.second(0);
    rig.timeline.settle();
    rig.loop.leave(List.of(phase.b.id()));
    assertThat(phase.end().ourBytes()).isEmpty();
  }

  @Test
  void whatANodeMovedCountsThoughItBeginsAnewBetweenThePieces() {
    var phase = new TwoPieces();
    phase.second(0);
    rig.timeline.settle();
    phase.b.fallSilent();
    var again = rig.node("b", 0);
    again.hasRead(ReadCause.PREFETCH, 300);
    phase.second(100_000_000);
    rig.timeline.settle();
    assertThat(phase.end().ourBytes()).isEqualTo(Map.of(ReadCause.PREFETCH, 1000L));
  }

  @Test
  void metadataCallsAreThoseBetweenTheBeginAndTheEnd() {
    rig.loop.noteMetadata(40);
    rig.begin("ior");
    rig.loop.noteMetadata(47);
    rig.loop.end("ior");
    rig.loop.noteMetadata(90);
    rig.run(1000);
    assertThat(only().metadataCalls()).isEqualTo(7);
  }

  @Test
  void whatAClientReportsAcrossTheBeginAndTheEndIsSharedOut() {
    rig.run(1000);
    rig.begin("ior");
    rig.run(100);
    rig.loop.noteFallback(past(ReadCause.FALLBACK, 1000, 200)); // half of it before
    rig.run(100);
    rig.loop.end("ior");
    rig.run(100);
    rig.loop.noteFallback(past(ReadCause.FALLBACK, 600, 200)); // half of it afterwards
    rig.run(100);
    rig.loop.noteFallback(past(ReadCause.FALLBACK, 50_000, 100));
    rig.run(1000);
    assertThat(only().ourBytes()).isEqualTo(Map.of(ReadCause.FALLBACK, 800L));
  }

  /** The counters of a node that reads on until a phase is noticed, a second after its begin. */
  @Test
  void whatWasReadBeforeThePhaseWasNoticedIsReadInThePhase() {
    var a = rig.node("a", 0);
    rig.loop.add(SourceKind.sampled("slurm", 0.9, Duration.ofSeconds(1), Duration.ofSeconds(5)));
    for (int tenth = 1; tenth <= 20; tenth++) {
      a.hasRead(ReadCause.PREFETCH, 100L * tenth);
      rig.run(100);
    }
    rig.saw("slurm", "ior", 1000, 100_000_000);
    rig.run(1000);
    rig.saw("slurm", "ior", 1000, 0);
    rig.run(4000);
    assertThat(only().ourBytes().get(ReadCause.PREFETCH)).isBetween(900L, 1100L);
  }

  /** Moved until now, over so many milliseconds. */
  private PastRead past(ReadCause cause, long bytes, long millis) {
    long now = rig.timeline.now();
    return new PastRead(cause, bytes, now - millis * 1_000_000, now);
  }
}
