package io.eley.controller.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Permit.Lane;
import io.eley.bb.api.ReadCause;
import io.eley.controller.loop.BoardRounds.Told;
import io.eley.controller.predict.Forecast;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a deployment tells a board, and does with what it hears. */
class BoardRoundsTest {
  private static final NodeId A = new NodeId("a");
  private static final NodeId B = new NodeId("b");
  private static final long MS = 1_000_000;

  private final BoardRounds rounds = new BoardRounds();

  private void join() {
    rounds.join(A);
    rounds.join(B);
    rounds.confirm(A, 1000, 0);
    rounds.confirm(B, 0, 0);
  }

  @Test
  void aRoundIsOverWhenEachNodeHasAnsweredAQuestionOfIt() {
    join();
    assertThat(rounds.told()).isEqualTo(new Told(0, 0));
    assertThat(rounds.hear(77, 1, Set.of(A, B), 100 * MS)).isTrue();
    rounds.confirm(A, 1500, 90 * MS); // asked before
    rounds.confirm(B, 20, 100 * MS);
    assertThat(rounds.told()).isEqualTo(new Told(0, 0));
    rounds.confirm(A, 1600, 101 * MS);
    assertThat(rounds.told())
        .as("what a had moved before it joined does not count")
        .isEqualTo(new Told(620, 77));
  }

  @Test
  void aRoundThatANodeDoesNotLetEndIsGivenUpAfterASecond() {
    join();
    assertThat(rounds.hear(77, 1, Set.of(A, B), 100 * MS)).isTrue();
    assertThat(rounds.hear(78, 1, Set.of(A, B), 300 * MS)).isFalse();
    assertThat(rounds.hear(79, 1, Set.of(A, B), 1200 * MS)).isTrue();
    rounds.confirm(A, 1000, 1200 * MS);
    rounds.leave(B);
    assertThat(rounds.told()).isEqualTo(new Told(0, 79));
  }

  @Test
  void aNodeThatBeginsAnewTakesNothingBack() {
    join();
    rounds.confirm(A, 1600, 0);
    rounds.join(A);
    rounds.confirm(A, 0, 0);
    rounds.confirm(A, 30, 0);
    rounds.notePastTheBuffer(5);
    rounds.notePastTheBuffer(3);
    rounds.hear(7, 1, Set.of(), 0);
    assertThat(rounds.told()).isEqualTo(new Told(635, 7));
  }

  @Test
  void nodesAreAskedAtEachWordAndShareWhatTheBoardLeaves() {
    var rig = new ControlRig(BufferMode.FULL_DELAY);
    var node = rig.node("a", 5);
    rig.run(100);
    int before = node.permits.size();
    node.hasRead(ReadCause.PREFETCH, 10_000_000);
    rig.loop.hearBoard(42, 3, List.of());
    rig.timeline.advance(5);
    assertThat(node.permits).hasSize(before + 1);
    assertThat(node.last().prefetch()).isEqualTo(new Lane(Lane.UNLIMITED, 1));
    assertThat(node.last().demand()).as("tasks wait").isEqualTo(Lane.OPEN);
    assertThat(rig.loop.toldToBoard()).isEqualTo(new Told(10_000_000, 42));
    assertThat(rig.loop.describeNeighbours())
        .containsExactly("the board: this deployment fetches as one of 3");
    rig.loop.loseBoard();
    rig.run(1100);
    assertThat(node.last().prefetch()).isEqualTo(Lane.OPEN);
    assertThat(rig.loop.describeNeighbours()).isEmpty();
  }

  @Test
  void theRateThatIsLeftToUsWithinAPhaseIsSharedWithOtherDeployments() {
    var rig =
        new ControlRig(
            BufferMode.ADAPTIVE,
            "eley.operator",
            "partial-delay",
            "eley.operator.max-slowdown",
            "0.5");
    rig.loop.learn(Collections.nCopies(3, ControlRig.alone("climate")));
    var node = rig.node("a", 5);
    rig.begin("climate");
    rig.timeline.advance(5);
    long whole = node.last().prefetch().bytesPerSecond();
    assertThat(whole).isBetween(1_000_000L, 50_000_000L);
    rig.loop.hearBoard(1, 2, List.of());
    rig.run(100);
    assertThat(node.last().prefetch().bytesPerSecond()).isBetween(whole * 7 / 16, whole / 2);
    assertThat(node.last().demand().bytesPerSecond())
        .isEqualTo(node.last().prefetch().bytesPerSecond());
  }

  @Test
  void aForecastOfTheBoardIsHeldForUntilTheBoardIsLost() {
    var rig = new ControlRig(BufferMode.FULL_DELAY);
    var node = rig.node("a", 5);
    rig.run(20_000);
    long now = rig.timeline.now();
    var soon =
        new Forecast("somebody", now + 500 * MS, now + 800 * MS, now + 1500 * MS, 3000 * MS, 0.9);
    rig.loop.hearBoard(1, 1, List.of(soon));
    rig.run(300);
    assertThat(node.last().prefetch()).isEqualTo(Lane.OPEN);
    assertThat(rig.loop.forecasts()).containsExactly(soon);
    rig.run(500);
    assertThat(node.last().prefetch()).isEqualTo(Lane.CLOSED);
    rig.loop.loseBoard();
    rig.run(100);
    assertThat(node.last().prefetch()).isEqualTo(Lane.OPEN);
  }

  /** A hold is never longer than the time before it that was free. */
  @Test
  void aBoardThatForecastsAPhaseAtEveryMomentHoldsHalfOfTheTimeAtMost() {
    var rig = new ControlRig(BufferMode.FULL_DELAY);
    rig.node("a", 5);
    rig.begin("climate");
    rig.run(1000);
    rig.loop.end("climate");
    int held = 0;
    for (int i = 0; i < 1000; i++) {
      long now = rig.timeline.now();
      rig.loop.hearBoard(i, 1, List.of(new Forecast("x", now, now, now + 1000 * MS, 1, 1)));
      rig.run(100);
      held += rig.loop.decision().held() ? 1 : 0;
    }
    assertThat(held).isLessThanOrEqualTo(500);
  }
}
