package io.eley.controller.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BufferMode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each announcement is answered once: when all nodes hold, or when the time for that is over. */
class HoldRequestsTest {
  private final ControlRig rig = new ControlRig(BufferMode.FULL_DELAY);

  @Test
  void withoutNodesTheAnswerComesAtOnceAndOnce() {
    rig.begin("ior");
    assertThat(rig.answers).containsExactly(new HoldState(0, 0, true));
    rig.run(1000);
    assertThat(rig.answers).hasSize(1);
  }

  @Test
  void theAnswerComesWithTheLastConfirmation() {
    rig.node("a", 10);
    rig.node("b", 50);
    rig.timeline.advance(100);
    rig.begin("ior");
    rig.timeline.advance(49);
    assertThat(rig.answers).as("b has not confirmed").isEmpty();
    rig.timeline.advance(1);
    assertThat(rig.answers).containsExactly(new HoldState(2, 2, true));
    rig.run(1000);
    assertThat(rig.answers).as("the time for it is over, too").hasSize(1);
  }

  @Test
  void theConfirmationOfAnOpenPermitIsNone() {
    var a = rig.silentNode("a");
    rig.begin("ior");
    rig.loop.confirm(a.id(), a.permits.get(0).sequence(), Moved.NOTHING);
    assertThat(rig.answers).isEmpty();
    rig.loop.confirm(a.id(), a.permits.get(1).sequence(), Moved.NOTHING);
    assertThat(rig.answers).containsExactly(new HoldState(1, 1, true));
  }

  @Test
  void afterTheTimeForItTheAnswerSaysHowManyConfirmed() {
    rig.node("a", 0);
    rig.silentNode("b");
    rig.begin("ior");
    rig.timeline.advance(199);
    assertThat(rig.answers).isEmpty();
    rig.timeline.advance(1);
    assertThat(rig.answers).containsExactly(new HoldState(2, 1, true));
    rig.run(1000);
    assertThat(rig.answers).hasSize(1);
  }

  @Test
  void aConfirmationAfterTheTimeIsNoSecondAnswer() {
    var late = rig.node("a", 300);
    rig.timeline.advance(1000);
    rig.begin("ior");
    rig.timeline.advance(1000);
    assertThat(late.permits).hasSize(2);
    assertThat(rig.answers).containsExactly(new HoldState(1, 0, true));
  }

  @Test
  void theNodeThatAllWaitForLeaves() {
    rig.node("a", 0);
    var silent = rig.silentNode("b");
    rig.begin("ior");
    rig.timeline.advance(50);
    assertThat(rig.answers).isEmpty();
    rig.loop.leave(List.of(silent.id()));
    assertThat(rig.answers).containsExactly(new HoldState(1, 1, true));
  }

  @Test
  void theLastNodeLeaves() {
    var silent = rig.silentNode("a");
    rig.begin("ior");
    rig.loop.leave(List.of(silent.id()));
    assertThat(rig.answers).containsExactly(new HoldState(0, 0, true));
  }

  @Test
  void severalAnnouncementsWaitTogetherAndEachIsAnswered() {
    var slow = rig.node("a", 60);
    rig.timeline.advance(100);
    rig.begin("ior");
    rig.timeline.advance(10);
    rig.begin("ior");
    assertThat(slow.permits).hasSize(2);
    rig.timeline.advance(50);
    assertThat(rig.answers).containsExactly(new HoldState(1, 1, true), new HoldState(1, 1, true));
  }

  @Test
  void whenAllHoldAlreadyARenewalIsAnsweredAtOnce() {
    rig.node("a", 0);
    rig.begin("ior");
    rig.timeline.settle();
    rig.begin("ior");
    assertThat(rig.answers).hasSize(2);
  }

  @Test
  void onlyTheRequestWhoseTimeIsOverIsGivenUp() {
    rig.silentNode("a");
    rig.begin("ior");
    rig.timeline.advance(150);
    rig.begin("ior");
    rig.timeline.advance(50);
    assertThat(rig.answers).hasSize(1);
    rig.timeline.advance(149);
    assertThat(rig.answers).hasSize(1);
    rig.timeline.advance(1);
    assertThat(rig.answers).hasSize(2);
  }

  @Test
  void withNoTimeAtAllTheAnswerComesWithTheNextWork() {
    var hasty = new ControlRig(BufferMode.FULL_DELAY, "eley.hold.confirmation", "0ms");
    hasty.silentNode("a");
    hasty.begin("ior");
    hasty.timeline.settle();
    assertThat(hasty.answers).containsExactly(new HoldState(1, 0, true));
  }
}
