package io.eley.controller.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ReadCause;
import io.eley.controller.phase.Blindness;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.SourceKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the control loop knows of rates and sources besides its decisions. */
class ControlRatesTest {
  private final ControlRig rig = new ControlRig(BufferMode.FULL_DELAY);

  @Test
  void thePlansAreAskedOnceASecond() {
    rig.run(900);
    assertThat(rig.figuresAsked).isZero();
    rig.run(100);
    assertThat(rig.figuresAsked).isEqualTo(1);
    rig.run(5000);
    assertThat(rig.figuresAsked).isEqualTo(6);
  }

  @Test
  void ourRateIsThatOfTheLastTwoSeconds() {
    var a = rig.node("a", 0);
    var b = rig.node("b", 0);
    for (int second = 1; second <= 10; second++) {
      a.hasRead(ReadCause.PREFETCH, 10_000_000L * second);
      b.hasRead(ReadCause.DEMAND, 5_000_000L * second);
      rig.run(1000);
    }
    assertThat(rig.loop.ourBytesPerSecond()).isCloseTo(15e6, within(1e5));
    rig.run(6000);
    assertThat(rig.loop.ourBytesPerSecond()).isZero();
  }

  @Test
  void aNodeThatHasLeftDoesNotCountAmongOurs() {
    var a = rig.node("a", 0);
    for (int second = 1; second <= 5; second++) {
      a.hasRead(ReadCause.PREFETCH, 10_000_000L * second);
      rig.run(1000);
    }
    assertThat(rig.loop.ourBytesPerSecond()).isPositive();
    rig.loop.leave(List.of(a.id()));
    rig.run(1000);
    assertThat(rig.loop.ourBytesPerSecond()).isZero();
  }

  @Test
  void theModelsLearnFromTrafficWhilePermitsAreOpen() {
    var a = rig.node("a", 0);
    rig.figures = new PlanFigures(1 << 30, 0, 1L << 34, 0);
    assertThat(rig.loop.describeModels())
        .containsExactly(
            "interference: no traffic seen yet",
            "performance: not known before a second of steady prefetching");
    for (int second = 1; second <= 5; second++) {
      a.hasMoved(new Moved(Map.of(ReadCause.PREFETCH, 50_000_000L * second), 3));
      rig.run(1000);
    }
    assertThat(rig.loop.describeModels().get(0))
        .startsWith("interference: the origin moves 50 MB/s");
    assertThat(rig.loop.describeModels().get(1)).startsWith("performance: fetching 50 MB/s");
  }

  @Test
  void whatANodeHadMovedBeforeItJoinedIsNoTraffic() {
    rig.run(3000);
    var a = rig.silentNode("a");
    rig.run(1000);
    a.hasMoved(new Moved(Map.of(ReadCause.PREFETCH, 10_000_000_000_000L), 3));
    a.confirm(rig.loop);
    rig.run(2000);
    assertThat(rig.loop.describeModels())
        .containsExactly(
            "interference: no traffic seen yet",
            "performance: not known before a second of steady prefetching");
  }

  @Test
  void fetchesThatDoNotWaitSayNothingOfTheRateThatThereCouldBe() {
    var a = rig.node("a", 0);
    for (int second = 1; second <= 5; second++) {
      a.hasRead(ReadCause.PREFETCH, 50_000_000L * second);
      rig.run(1000);
    }
    assertThat(rig.loop.describeModels().get(1))
        .isEqualTo("performance: not known before a second of steady prefetching");
  }

  @Test
  void foreignTrafficCountsForTheOriginsCapacity() {
    rig.loop.add(SourceKind.sampled("slurm", 0.9, Duration.ofSeconds(1), Duration.ofSeconds(5)));
    for (int second = 1; second <= 5; second++) {
      rig.saw("slurm", "ior", 1000, 70_000_000);
      rig.run(1000);
    }
    assertThat(rig.loop.describeModels().get(0))
        .startsWith("interference: the origin moves 70 MB/s");
  }

  /** Which of two it was that moved a byte no counter tells, but none was moved twice. */
  @Test
  void whatCountersSeeOfTwoPhasesIsSeenOnce() {
    rig.node("a", 0);
    rig.loop.add(
        SourceKind.sampled("counters", 0.8, Duration.ofSeconds(1), Duration.ofSeconds(5))
            .ofTotals());
    rig.begin("ior");
    rig.begin("lammps");
    for (int second = 1; second <= 5; second++) {
      rig.run(1000);
      rig.saw("counters", Evidence.SOMEBODY, 1000, 100_000_000);
    }
    rig.run(1000);
    assertThat(rig.loop.capacity()).isCloseTo(100e6, within(1e6));
    rig.loop.end("ior");
    rig.loop.end("lammps");
    rig.run(4000);
    assertThat(rig.entries)
        .hasSize(2)
        .extracting(e -> e.foreignBytesPerSecond().orElseThrow())
        .allSatisfy(rate -> assertThat(rate).isCloseTo(50e6, within(2e6)));
    assertThat(rig.loop.capacity()).isCloseTo(100e6, within(1e6));
  }

  @Test
  void theEntriesOfEarlierRunsTeachTheModels() {
    rig.node("a", 0);
    rig.loop.add(SourceKind.sampled("slurm", 0.9, Duration.ofSeconds(1), Duration.ofSeconds(5)));
    rig.saw("slurm", "ior", 1000, 70_000_000);
    rig.run(1000);
    rig.saw("slurm", "ior", 1000, 0);
    rig.run(1100);
    assertThat(rig.entries).hasSize(1);
    var second = new ControlRig(BufferMode.FULL_DELAY);
    second.loop.learn(rig.entries);
    assertThat(second.loop.describeModels().get(0))
        .startsWith("interference: the origin moves 70 MB/s");
  }

  @Test
  void forHowLongPrefetchingIsHeld() {
    assertThat(rig.loop.heldFor()).isZero();
    rig.begin("ior");
    rig.timeline.advance(1234);
    assertThat(rig.loop.heldFor()).isEqualTo(Duration.ofMillis(1234));
    rig.loop.end("ior");
    assertThat(rig.loop.heldFor()).isZero();
    assertThat(rig.loop.heldWithoutNeed()).as("a phase was open").isZero();
  }

  @Test
  void aSourceKnowsWhetherAnotherSeesAPhase() {
    rig.loop.add(SourceKind.sampled("probe", 0.6, Duration.ofSeconds(1), Duration.ofSeconds(5)));
    rig.saw("probe", "somebody", 1000, 100_000_000);
    assertThat(rig.loop.openBesides("probe")).isFalse();
    assertThat(rig.loop.openBesides("announced")).isTrue();
    rig.begin("ior");
    assertThat(rig.loop.openBesides("probe")).isTrue();
  }

  @Test
  void whatASourceDoesNotSeeIsSaid() {
    rig.loop.add(SourceKind.sampled("slurm", 0.9, Duration.ofSeconds(1), Duration.ofSeconds(5)));
    rig.saw("slurm", "ior", 1000, 0);
    rig.loop.noteBlindness("slurm", new Blindness("sstat is denied for bob", false));
    assertThat(rig.loop.health().get(1).message()).contains("sstat is denied for bob");
    rig.loop.noteBlindness("nobody", new Blindness("ignored", true));
  }

  @Test
  void whatNodesHaveMovedIsKnownForOthers() {
    var a = rig.node("a", 0);
    long from = rig.timeline.now();
    for (int second = 1; second <= 4; second++) {
      a.hasRead(ReadCause.PREFETCH, 10_000_000L * second);
      rig.run(1000);
    }
    assertThat(rig.loop.ourBytes(from, rig.timeline.now())).isBetween(30_000_000L, 40_000_000L);
  }

  @Test
  void otherDeploymentsAreNamedForPeople() {
    assertThat(rig.loop.describeNeighbours()).isEmpty();
    long now = rig.timeline.now();
    rig.loop.observeNeighbour("other", 0, now);
    rig.timeline.advance(1000);
    rig.loop.observeNeighbour("other", 50_000_000, rig.timeline.now());
    assertThat(rig.loop.describeNeighbours()).hasSize(1);
  }

  @Test
  void eachSourceSaysHowItIs() {
    rig.loop.add(SourceKind.sampled("slurm", 0.9, Duration.ofSeconds(1), Duration.ofSeconds(5)));
    assertThat(rig.loop.health())
        .extracting(h -> h.source() + " " + h.state())
        .containsExactly("announced FRESH", "slurm ABSENT");
    rig.saw("slurm", "ior", 1000, 0);
    rig.timeline.advance(300);
    assertThat(rig.loop.health().get(1).age()).isEqualTo(Duration.ofMillis(300));
  }
}
