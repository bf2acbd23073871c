package io.eley.controller.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.Permit;
import io.eley.bb.api.Permit.Lane;
import io.eley.bb.api.ReadCause;
import io.eley.controller.phase.PhaseListener.Ending;
import io.eley.controller.phase.SourceKind;
import io.eley.prefetcher.control.Decision;
import io.eley.prefetcher.control.FullDelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which permits nodes get, and how many. */
class PermitsOfPhasesTest {
  private final ControlRig rig = new ControlRig(BufferMode.FULL_DELAY);
  private final FakeBufferNode a = rig.node("a", 0);
  private final FakeBufferNode b = rig.node("b", 0);

  @Test
  void aNodeThatJoinsGetsOnePermitAtOnce() {
    assertThat(a.permits).hasSize(1);
    assertThat(a.last().prefetch()).isEqualTo(Lane.OPEN);
    assertThat(a.last().demand()).isEqualTo(Lane.OPEN);
    assertThat(a.last().timeToLive()).isEqualTo(Duration.ofSeconds(2));
    assertThat(a.last().reason()).isEqualTo(FullDelay.NOBODY_SEES);
  }

  @Test
  void anAnnouncementIsOnePermitForEachNodeAndItsEndOneMore() {
    rig.begin("ior");
    assertThat(a.permits).hasSize(2);
    assertThat(b.permits).hasSize(2);
    assertThat(a.last().prefetch()).isEqualTo(Lane.CLOSED);
    assertThat(a.last().demand()).isEqualTo(Lane.CLOSED);
    assertThat(a.last().reason()).isEqualTo("full delay for ior");
    rig.timeline.settle();

    assertThat(rig.loop.end("ior")).isTrue();
    assertThat(a.permits).hasSize(3);
    assertThat(b.permits).hasSize(3);
    assertThat(a.last().prefetch()).isEqualTo(Lane.OPEN);
  }

  @Test
  void announcingAnOpenPhaseAgainIsNoNewPermit() {
    rig.begin("ior");
    rig.begin("ior");
    assertThat(a.permits).hasSize(2);
    assertThat(rig.opened).hasSize(1);
  }

  @Test
  void theEndOfAPhaseThatIsNotOpenIsNoNewPermit() {
    assertThat(rig.loop.end("ior")).isFalse();
    assertThat(a.permits).hasSize(1);
    assertThat(rig.decisions).isEmpty();
  }

  @Test
  void aSecondApplicationChangesTheReasonSoNodesHearOfIt() {
    rig.begin("ior");
    rig.begin("lammps");
    assertThat(a.permits).hasSize(3);
    assertThat(a.last().reason()).isEqualTo("full delay for ior, lammps");
    rig.loop.end("ior");
    assertThat(a.permits).hasSize(4);
    assertThat(a.last().prefetch()).isEqualTo(Lane.CLOSED);
    assertThat(a.last().reason()).isEqualTo("full delay for lammps");
  }

  @Test
  void sequencesGrowForEachNode() {
    rig.begin("ior");
    rig.loop.end("ior");
    rig.run(3000);
    assertThat(a.permits).extracting(Permit::sequence).isSorted().doesNotHaveDuplicates();
    assertThat(b.permits).extracting(Permit::sequence).isSorted().doesNotHaveDuplicates();
    assertThat(a.permits).extracting(Permit::sequence).doesNotContain(b.last().sequence());
  }

  @Test
  void permitsAreRenewedAfterTheRenewalAndNotBefore() {
    rig.run(900);
    assertThat(a.permits).as("0.9 s").hasSize(1);
    rig.run(100);
    assertThat(a.permits).as("1 s").hasSize(2);
    assertThat(b.permits).hasSize(2);
    rig.run(900);
    assertThat(a.permits).as("1.9 s").hasSize(2);
    rig.run(100);
    assertThat(a.permits).as("2 s").hasSize(3);
  }

  @Test
  void aChangeCountsAsARenewal() {
    rig.run(900);
    rig.begin("ior");
    assertThat(a.permits).hasSize(2);
    rig.run(900);
    assertThat(a.permits).as("0.9 s after the change").hasSize(2);
    rig.run(100);
    assertThat(a.permits).hasSize(3);
  }

  @Test
  void aLeaseThatRunsOutOpensThePermitsWithTheNextTick() {
    rig.loop.begin("ior", Duration.ofMillis(450), rig.answers::add);
    rig.run(400);
    assertThat(a.last().prefetch().closed()).isTrue();
    rig.run(100);
    assertThat(a.permits).hasSize(3);
    assertThat(a.last().prefetch()).isEqualTo(Lane.OPEN);
    assertThat(rig.closed).containsExactly(Ending.LEASE_EXPIRED);
  }

  @Test
  void waitingTasksGoOnAtTheCappedRateAfterTheLongestDelay() {
    var soon = new ControlRig(BufferMode.FULL_DELAY, "eley.delay.max", "2s");
    var node = soon.node("a", 0);
    soon.begin("ior");
    soon.run(1900);
    assertThat(node.last().demand()).isEqualTo(Lane.CLOSED);
    soon.run(100);
    assertThat(node.last().prefetch()).isEqualTo(Lane.CLOSED);
    assertThat(node.last().demand()).isEqualTo(new Lane(16 << 20, Integer.MAX_VALUE));
  }

  @Test
  void aNodeThatJoinsInsideAPhaseIsTold() {
    rig.begin("ior");
    var late = rig.node("late", 0);
    assertThat(late.permits).hasSize(1);
    assertThat(late.last().prefetch()).isEqualTo(Lane.CLOSED);
    assertThat(a.permits).as("the others know").hasSize(2);
  }

  @Test
  void aNodeThatHasLeftGetsNoPermits() {
    rig.loop.leave(List.of(a.id()));
    rig.begin("ior");
    assertThat(a.permits).hasSize(1);
    assertThat(b.permits).hasSize(2);
  }

  @Test
  void aNodeThatComesAgainTakesThePlaceOfTheOldOne() {
    var again = new FakeBufferNode("a");
    rig.loop.join(again);
    rig.begin("ior");
    assertThat(a.permits).as("the old registration").hasSize(1);
    assertThat(again.permits).hasSize(2);
    rig.timeline.advance(200);
    assertThat(rig.answers).containsExactly(new HoldState(2, 1, true));
  }

  @Test
  void withoutActionPhasesAreSeenButNothingCloses() {
    var off = new ControlRig(BufferMode.NO_ACTION);
    var node = off.node("a", 0);
    off.begin("ior");
    assertThat(off.opened).hasSize(1);
    assertThat(node.permits).allMatch(p -> !p.prefetch().closed() && !p.demand().closed());
    assertThat(off.answers).containsExactly(new HoldState(1, 0, false));
    off.timeline.settle();
    assertThat(off.timeline.pending()).as("nothing to give up").isEqualTo(0);
  }

  @Test
  void whatIsSeenClosesAndItsQuietOpens() {
    rig.loop.add(SourceKind.sampled("slurm", 0.9, Duration.ofMillis(250), Duration.ofSeconds(2)));
    rig.saw("slurm", "ior", 250, 100_000_000);
    assertThat(a.permits).hasSize(2);
    assertThat(a.last().prefetch()).isEqualTo(Lane.CLOSED);
    rig.timeline.advance(250);
    rig.saw("slurm", "ior", 250, 100_000_000);
    assertThat(a.permits).hasSize(2);
    rig.timeline.advance(751);
    rig.saw("slurm", "ior", 751, 0);
    assertThat(a.last().prefetch()).isEqualTo(Lane.OPEN);
    assertThat(rig.closed).containsExactly(Ending.QUIET);
  }

  @Test
  void aPhaseThatIsTooUncertainIsNotHeldFor() {
    rig.loop.add(SourceKind.sampled("guess", 0.1, Duration.ofMillis(250), Duration.ofSeconds(2)));
    rig.saw("guess", "ior", 250, 100_000_000);
    assertThat(rig.opened).hasSize(1);
    assertThat(rig.loop.openPhases()).isEmpty();
    assertThat(a.permits).hasSize(1);
  }

  @Test
  void theListenerHearsOfEachDecisionOnce() {
    rig.begin("ior");
    rig.run(5000);
    rig.loop.end("ior");
    rig.run(5000);
    assertThat(rig.decisions)
        .extracting(Decision::reason)
        .containsExactly("full delay for ior", FullDelay.NOBODY_SEES);
    assertThat(rig.loop.decision()).isEqualTo(rig.decisions.get(1));
    assertThat(rig.closed).containsExactly(Ending.ANNOUNCED);
  }

  @Test
  void oneFetchAtATimeGoesOnWhileNobodyCanSeePhasesAnyMore() {
    rig.loop.add(SourceKind.sampled("slurm", 0.9, Duration.ofMillis(250), Duration.ofSeconds(2)));
    rig.saw("slurm", "ior", 250, 0);
    rig.loop.noteFailure("slurm", "slurmctld is down");
    rig.run(2000);
    assertThat(a.last().prefetch()).as("fresh for two seconds").isEqualTo(Lane.OPEN);
    rig.run(100);
    assertThat(a.last().prefetch()).isEqualTo(new Lane(Lane.UNLIMITED, 1));
    assertThat(rig.loop.health())
        .filteredOn(h -> h.source().equals("slurm"))
        .extracting(h -> h.message())
        .containsExactly("slurmctld is down");
    rig.saw("slurm", "ior", 250, 0);
    assertThat(a.last().prefetch()).isEqualTo(Lane.OPEN);
  }

  @Test
  void aLeaseRenewedInTimeKeepsThePermitsClosed() {
    rig.loop.begin("ior", Duration.ofSeconds(1), rig.answers::add);
    for (int i = 0; i < 5; i++) {
      rig.run(900);
      rig.loop.begin("ior", Duration.ofSeconds(1), rig.answers::add);
      assertThat(a.last().prefetch()).isEqualTo(Lane.CLOSED);
    }
    assertThat(rig.opened).hasSize(1);
    assertThat(rig.answers).as("each announcement is answered").hasSize(6);
  }

  @Test
  void whoPollsIsToldOnceWhenToLookOftenAndWhenNoMore() {
    var rig = new ControlRig(BufferMode.FULL_DELAY);
    var told = new ArrayList<Boolean>();
    rig.loop.onCloseLook(told::add);
    rig.loop.add(SourceKind.sampled("slurm", 0.9, Duration.ofMillis(250), Duration.ofSeconds(20)));
    rig.run(1000);
    assertThat(told).isEmpty();
    rig.saw("slurm", "ior", 250, 1L << 30);
    rig.run(1000);
    assertThat(told).containsExactly(true);
    rig.saw("slurm", "ior", 250, 0);
    rig.run(5000);
    rig.saw("slurm", "ior", 250, 0);
    rig.run(1000);
    assertThat(told).containsExactly(true, false);
  }

  @Test
  void whatALimitLeavesOfFetchingIsNotTakenForTheRateThatThereCouldBe() {
    var adaptive = new ControlRig(BufferMode.ADAPTIVE, "eley.operator.max-slowdown", "0.2");
    var node = adaptive.node("a", 0);
    adaptive.figures = new PlanFigures(1 << 30, 0, 1L << 44, 0);
    for (int cycle = 0; cycle < 4; cycle++) {
      fetch(adaptive, node, 10_000);
      adaptive.begin("ior");
      fetch(adaptive, node, 3000);
      adaptive.loop.end("ior");
    }
    fetch(adaptive, node, 5000);
    String learned = adaptive.loop.describeModels().get(1);
    int before = node.permits.size();
    adaptive.begin("ior");
    fetch(adaptive, node, 30_000);
    assertThat(node.permits.subList(before, node.permits.size()))
        .isNotEmpty()
        .allMatch(p -> p.prefetch().bytesPerSecond() > 0)
        .allMatch(p -> p.prefetch().bytesPerSecond() < 100_000_000);
    assertThat(adaptive.loop.describeModels().get(1))
        .isEqualTo(learned)
        .startsWith("performance: fetching 39");
  }

  /** Else the more we took the less a phase would move, and the more we would be allowed. */
  @Test
  void whatAPhaseMovesBesideUsIsNotTakenForWhatItNeeds() {
    var partial =
        new ControlRig(
            BufferMode.ADAPTIVE,
            "eley.operator",
            "partial-delay",
            "eley.operator.max-slowdown",
            "0.1");
    partial.loop.add(
        SourceKind.sampled("slurm", 0.9, Duration.ofSeconds(1), Duration.ofSeconds(5)));
    partial.loop.learn(Collections.nCopies(3, ControlRig.alone("climate")));
    var node = partial.node("a", 0);
    partial.begin("climate");
    Lane first = node.last().prefetch();
    assertThat(first.bytesPerSecond()).as("of 100 MB/s").isBetween(1_000_000L, 10_000_000L);
    for (int second = 0; second < 10; second++) {
      partial.saw("slurm", "climate", 1000, 60_000_000);
      assertThat(node.last().prefetch().bytesPerSecond())
          .isBetween(1_000_000L, first.bytesPerSecond());
      partial.run(1000);
    }
  }

  /** All four fetchers are within the bound, but each moves less beside a phase. */
  @Test
  void whatAllFetchersMoveBesideAPhaseIsNotTakenForTheRateInGaps() {
    var down = ControlRig.thatScalesDown();
    var node = down.node("a", 0);
    down.fetch(node, 5000, 2_000_000);
    String learned = down.loop.describeModels().get(1);
    assertThat(learned).startsWith("performance: fetching 20 MB/s");
    down.begin("climate");
    for (int second = 0; second < 20; second++) {
      down.fetch(node, 1000, 500_000);
      down.saw("slurm", "climate", 1000, 20_000_000);
      assertThat(node.last().prefetch()).isEqualTo(new Lane(Lane.UNLIMITED, 4));
    }
    assertThat(down.loop.describeModels().get(1)).isEqualTo(learned);

    var off = new ControlRig(BufferMode.NO_ACTION);
    var other = off.node("a", 0);
    off.fetch(other, 5000, 2_000_000);
    off.begin("climate");
    off.fetch(other, 5000, 500_000);
    assertThat(off.loop.describeModels().get(1)).isEqualTo(learned);
  }

  @Test
  void whatMoreFetchersThanUsualMoveIsNotTakenForTheRateOfTheUsualOnes() {
    var up = new ControlRig(BufferMode.ADAPTIVE, "eley.operator", "scale-up");
    up.loop.add(SourceKind.sampled("slurm", 0.9, Duration.ofSeconds(1), Duration.ofSeconds(5)));
    var node = up.node("a", 0);
    for (int second = 1; second <= 20; second++) {
      up.figures = new PlanFigures(1 << 30, 1 << 30, (1L << 44) - 200_000_000L * second, 0);
      up.fetch(node, 1000, node.last().prefetch().equals(Lane.OPEN) ? 4_000_000 : 8_000_000);
      up.saw("slurm", "climate", 1000, 0);
    }
    assertThat(node.last().prefetch()).isEqualTo(new Lane(Lane.UNLIMITED, 8));
    assertThat(up.loop.describeModels().get(1)).startsWith("performance: fetching 40 MB/s");
  }

  /** Else it would be believed for ever, since it is the reason for more fetchers than usual. */
  @Test
  void aRateThatWasLearnedTooLowIsRaisedByWhatMoreFetchersMove() {
    var up = new ControlRig(BufferMode.ADAPTIVE, "eley.operator", "scale-up");
    up.loop.add(SourceKind.sampled("slurm", 0.9, Duration.ofSeconds(1), Duration.ofSeconds(5)));
    var node = up.node("a", 0);
    for (int second = 1; second <= 20; second++) {
      up.figures = new PlanFigures(1 << 30, 1 << 30, (1L << 44) - 200_000_000L * second, 0);
      up.fetch(node, 1000, node.last().prefetch().equals(Lane.OPEN) ? 1_000_000 : 16_000_000);
      up.saw("slurm", "climate", 1000, 0);
    }
    assertThat(node.last().prefetch()).isEqualTo(new Lane(Lane.UNLIMITED, 8));
    assertThat(up.loop.describeModels().get(1))
        .as("eight move 160 MB/s, so four move 80 at least")
        .startsWith("performance: fetching 80 MB/s");
  }

  /** What each fetcher moves 100 MB/s of, or all of them what the permit's rate is. */
  private static void fetch(ControlRig rig, FakeBufferNode node, long millis) {
    for (long passed = 0; passed < millis; passed += 100) {
      Lane lane = node.last().prefetch();
      long fetchers = Math.min(4, lane.concurrentFetches());
      node.movesOn(Math.min(lane.bytesPerSecond(), 100_000_000 * fetchers) / 10, 3);
      rig.run(100);
    }
  }

  @Test
  void aNodeThatComesAgainMovesFromZeroOn() {
    var rig = new ControlRig(BufferMode.FULL_DELAY);
    FakeBufferNode first = rig.node("a", 0);
    first.hasRead(ReadCause.PREFETCH, 1L << 40);
    rig.run(3000);
    first.fallSilent();
    FakeBufferNode again = rig.node("a", 0);
    rig.run(3000);
    assertThat(rig.loop.ourBytesPerSecond()).isZero();
    again.hasRead(ReadCause.PREFETCH, 8 << 20);
    rig.run(2000);
    assertThat(rig.loop.ourBytesPerSecond()).isPositive();
  }
}
