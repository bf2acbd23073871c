package io.eley.controller.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.Permit;
import io.eley.bb.api.Permit.Lane;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.ReadTime;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.SourceKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the loop does with what our own reads tell. */
class SensingTest {
  private static final long MS = 1_000_000;
  private static final Lane ONE_AT_A_TIME = new Lane(Lane.UNLIMITED, 1);
  private final ControlRig rig = new ControlRig(BufferMode.FULL_DELAY, "eley.signal.reads", "true");

  /** Four at once take four times as long as a single one: more than two are of no use. */
  private static final Lane TWO_AT_ONCE = new Lane(Lane.UNLIMITED, 2);

  private final FakeBufferNode a = rig.node("a", 0);

  private void read(int many, long tookMillis, double underWay) {
    for (int i = 0; i < many; i++) {
      rig.timeline.advance(tookMillis);
      rig.loop.observeReads(
          a.id(), List.of(new ReadTime(0, tookMillis * MS, 1 << 20, underWay)), List.of());
      rig.timeline.settle();
    }
  }

  private Lane lane() {
    return a.permits.get(a.permits.size() - 1).prefetch();
  }

  @Test
  void aNodeReadsOneChunkAtATimeUntilItIsKnownWhatThatTakes() {
    assertThat(lane()).isEqualTo(ONE_AT_A_TIME);
    read(3, 20, 1);
    assertThat(lane()).isEqualTo(ONE_AT_A_TIME);
    read(1, 20, 1);
    assertThat(lane()).as("at once, not with the next renewal").isEqualTo(Lane.OPEN);
  }

  /** Two move 40 MB/s, so one moves 20, and two would be a little too much. */
  @Test
  void whatOneFetcherMovesIsFoundFromThoseThatWereOfUse() {
    var down = ControlRig.thatScalesDown("eley.signal.reads", "true");
    var node = down.node("a", 0);
    for (int i = 0; i < 10; i++) {
      int underWay = i < 4 ? 1 : 4;
      long took = 20L * underWay;
      down.timeline.advance(took);
      var read = new ReadTime(0, took * MS, 1 << 20, underWay);
      down.loop.observeReads(node.id(), List.of(read), List.of());
      down.timeline.settle();
    }
    down.run(1000);
    assertThat(node.last().prefetch()).isEqualTo(TWO_AT_ONCE);
    down.fetch(node, 3000, 4_000_000);
    down.begin("climate");
    down.run(1000);
    down.saw("slurm", "climate", 1000, 20_000_000);
    assertThat(node.last().prefetch()).isEqualTo(new Lane(Lane.UNLIMITED, 1));
  }

  @Test
  void whoNeverSaysHowLongReadsTakeIsNotHeldBackForEver() {
    a.hasRead(ReadCause.PREFETCH, 16 << 20);
    rig.timeline.advance(2500);
    rig.loop.tick();
    rig.timeline.advance(1000);
    rig.loop.tick();
    assertThat(lane()).isEqualTo(Lane.OPEN);
  }

  @Test
  void slowReadsCloseTheLaneAndSingleOnesDecide() {
    read(4, 20, 1);
    read(6, 80, 4);
    assertThat(lane()).as("until the next renewal").isEqualTo(Lane.OPEN);
    read(2, 200, 4);
    assertThat(rig.loop.decision().reason())
        .isEqualTo("listening: the origin has become slower for us");
    assertThat(rig.loop.decision().demand()).isEqualTo(Lane.OPEN);
    assertThat(lane()).as("one chunk, to see how long it takes").isEqualTo(Lane.test(1));
    assertThat(rig.opened).isEmpty();
    read(1, 60, 1);
    assertThat(lane()).isEqualTo(Lane.test(1));
    read(1, 60, 1);
    assertThat(rig.opened).hasSize(1);
    assertThat(rig.opened.get(0).source()).isEqualTo("reads");
    assertThat(rig.loop.decision().reason()).isEqualTo("full delay for somebody");
    assertThat(lane()).isEqualTo(Lane.CLOSED);
    rig.timeline.advance(160);
    rig.loop.tick();
    assertThat(lane()).as("is it over?").isEqualTo(Lane.test(1));
    read(1, 20, 1);
    assertThat(rig.closed).hasSize(1);
    assertThat(lane()).isEqualTo(TWO_AT_ONCE);
  }

  @Test
  void somebodyIsHeldForThoughAnotherApplicationsPhaseBeginsAndEndsMeanwhile() {
    read(4, 20, 1);
    read(6, 80, 4);
    read(2, 200, 4);
    read(2, 60, 1);
    assertThat(rig.loop.decision().reason()).isEqualTo("full delay for somebody");
    rig.begin("a");
    assertThat(rig.loop.decision().reason()).isEqualTo("full delay for a");
    rig.timeline.advance(1000);
    rig.loop.tick();
    assertThat(rig.loop.end("a")).isTrue();
    rig.timeline.settle();
    assertThat(lane()).as("one chunk, to see how long it takes").isEqualTo(Lane.test(1));
    read(2, 60, 1);
    assertThat(rig.loop.decision().reason()).isEqualTo("full delay for somebody");
    assertThat(rig.opened).hasSize(3);
    assertThat(rig.closed).hasSize(2);
  }

  @Test
  void aHoldIsConfirmedByWhatClosesDemandNotByWhatListenedBefore() {
    var b = rig.silentNode("b");
    read(4, 20, 1);
    read(6, 80, 4);
    read(2, 200, 4);
    assertThat(rig.loop.decision().reason()).startsWith("listening: ");
    rig.loop.confirm(b.id(), last(b).sequence(), Moved.NOTHING);
    rig.begin("ior");
    rig.timeline.settle(); // a confirms at once
    assertThat(last(b).demand()).isEqualTo(Lane.CLOSED);
    assertThat(rig.answers).as("b may still read what tasks wait for").isEmpty();
    rig.loop.confirm(b.id(), last(b).sequence(), Moved.NOTHING);
    assertThat(rig.answers).containsExactly(new HoldState(2, 2, true));
  }

  private static Permit last(FakeBufferNode node) {
    return node.permits.get(node.permits.size() - 1);
  }

  /** Four at once as fast as a single one: six might be of use, but a node has four. */
  @Test
  void howManyAreUsefulAsksForNoMoreThanTheUsualFetchers() {
    read(4, 20, 1);
    read(20, 20, 4);
    rig.run(600);
    assertThat(lane()).isEqualTo(Lane.OPEN);
  }

  @Test
  void readsThatWereSlowForNothingCostABlinkAndNoEntry() {
    read(4, 20, 1);
    read(6, 80, 4);
    read(2, 200, 4);
    assertThat(lane()).isEqualTo(Lane.test(1));
    read(1, 20, 1);
    assertThat(lane()).isEqualTo(TWO_AT_ONCE);
    assertThat(rig.opened).isEmpty();
    assertThat(rig.entries).isEmpty();
  }

  @Test
  void anOriginThatAsksForFewerRequestsIsListenedTo() {
    read(4, 20, 1);
    read(6, 80, 4);
    assertThat(lane()).isEqualTo(Lane.OPEN);
    a.hasMoved(new Moved(Map.of(), 0, 1));
    a.confirm(rig.loop);
    assertThat(rig.loop.decision().reason()).startsWith("listening: ");
    rig.timeline.settle();
    assertThat(lane()).isEqualTo(Lane.test(1));
    assertThat(rig.opened).as("it may be our own doing").isEmpty();
    read(2, 20, 1);
    assertThat(lane()).isEqualTo(TWO_AT_ONCE);
    assertThat(rig.entries).isEmpty();
  }

  @Test
  void whenNobodyReadsAnyMoreThePhaseIsNotTakenToLastForEver() {
    read(4, 20, 1);
    read(6, 80, 4);
    read(2, 200, 4);
    read(2, 60, 1);
    assertThat(rig.opened).hasSize(1);
    for (int i = 0; i < 100; i++) {
      rig.timeline.advance(100);
      rig.loop.tick();
    }
    assertThat(rig.closed).hasSize(1);
    assertThat(lane()).isEqualTo(TWO_AT_ONCE);
  }

  @Test
  void inAPhaseThatIsOnlyFeltAChunkThatATaskWaitsForIsTheTest() {
    read(4, 20, 1);
    read(6, 80, 4);
    read(2, 200, 4);
    read(2, 60, 1);
    assertThat(rig.opened).hasSize(1);
    assertThat(a.last().demand()).isEqualTo(Lane.CLOSED);
    rig.run(200);
    var test =
        a.permits.stream().filter(p -> p.demand().equals(Lane.test(1))).findFirst().orElseThrow();
    assertThat(test.sharesTest()).isTrue();
    assertThat(rig.loop.decision().demand()).as("the decision stays").isEqualTo(Lane.CLOSED);
  }

  /** A frozen node reads nothing, so nothing of ours disturbs a test by another one. */
  @Test
  void aNodeThatHangsDoesNotKeepAPhaseOpen() {
    var b = rig.node("b", 0);
    read(4, 20, 1);
    read(6, 80, 4);
    b.fallSilent();
    int before = b.permits.size();
    read(2, 200, 4);
    rig.run(100);
    assertThat(a.permits).as("it may still read").noneMatch(p -> p.prefetch().equals(Lane.test(1)));
    rig.run(300);
    assertThat(lane()).isEqualTo(Lane.test(1));
    assertThat(b.permits.subList(before, b.permits.size()))
        .noneMatch(p -> p.prefetch().equals(Lane.test(1)));
  }

  @Test
  void whereNobodyIsHeldForNobodyListens() {
    var noAction = new ControlRig(BufferMode.NO_ACTION, "eley.signal.reads", "true");
    var node = noAction.node("a", 0);
    assertThat(node.permits.get(0).prefetch()).isEqualTo(Lane.OPEN);
    for (int i = 0; i < 100; i++) {
      noAction.loop.observeReads(
          node.id(), List.of(new ReadTime(0, (1 + i) * MS, 1 << 20, 1)), List.of());
    }
    assertThat(noAction.loop.decision().prefetch()).isEqualTo(Lane.OPEN);
    assertThat(noAction.loop.health()).extracting(h -> h.source()).containsExactly("announced");
  }

  /** In silence the counters are exact. */
  @Test
  void whatTheCountersSuspectIsListenedToAndTheirSilenceEndsIt() {
    rig.loop.add(
        SourceKind.sampled("counters", 0.8, Duration.ofSeconds(1), Duration.ofSeconds(5))
            .ofTotals());
    read(4, 20, 1);
    read(6, 80, 4);
    a.hasRead(ReadCause.PREFETCH, 10 << 20);
    rig.timeline.advance(1000);
    rig.loop.tick();
    rig.saw("counters", Evidence.SOMEBODY, 1000, 100 << 20);
    rig.timeline.advance(150);
    rig.loop.tick();
    assertThat(rig.opened).as("ours is in it, too").isEmpty();
    assertThat(lane()).isEqualTo(Lane.test(1));
    for (int i = 0; i < 4; i++) {
      rig.timeline.advance(250);
      rig.saw("counters", Evidence.SOMEBODY, 250, 0);
    }
    rig.timeline.advance(150);
    rig.loop.tick();
    assertThat(lane()).isEqualTo(TWO_AT_ONCE);
    assertThat(rig.opened).isEmpty();
  }
}
