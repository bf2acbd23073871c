package io.eley.controller.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.NodeId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When a node counts as silent, by the default of three seconds. */
class SilentNodesTest {
  private final ControlRig rig = new ControlRig(BufferMode.FULL_DELAY);

  @Test
  void aNodeThatAnswersNoPermitIsSilentBehindTheThirdSecond() {
    var silent = rig.silentNode("a");
    rig.node("b", 0);
    rig.run(3000);
    assertThat(rig.loop.silentNodes()).isEmpty();
    rig.run(1);
    assertThat(rig.loop.silentNodes()).containsExactly(silent.id());
  }

  @Test
  void renewalsDoNotMakeItsSilenceYounger() {
    var silent = rig.silentNode("a");
    rig.run(3100);
    assertThat(silent.permits).hasSizeGreaterThan(2);
    assertThat(rig.loop.silentNodes()).hasSize(1);
  }

  @Test
  void aCoordinatorThatStoodStillBlamesNobody() {
    rig.node("a", 0);
    rig.node("b", 0);
    rig.timeline.advance(60_000);
    assertThat(rig.loop.silentNodes()).as("nothing was granted meanwhile").isEmpty();
  }

  @Test
  void itsSilenceCountsFromThePermitThatItDidNotAnswer() {
    var node = rig.node("a", 0);
    rig.run(500);
    node.fallSilent();
    rig.run(500);
    assertThat(node.permits).hasSize(2);
    rig.run(3000);
    assertThat(rig.loop.silentNodes()).isEmpty();
    rig.run(100);
    assertThat(rig.loop.silentNodes()).containsExactly(node.id());
  }

  @Test
  void whateverItSaysIsAnAnswer() {
    var node = rig.silentNode("a");
    rig.run(2900);
    rig.loop.noteAlive(node.id());
    rig.run(1000);
    assertThat(rig.loop.silentNodes()).isEmpty();
    rig.run(3200);
    assertThat(rig.loop.silentNodes()).hasSize(1);
  }

  @Test
  void whatAStrangerSaysChangesNothing() {
    var stranger = new NodeId("stranger");
    rig.loop.noteAlive(stranger);
    rig.loop.confirm(stranger, 7, new Moved(Map.of(), 3));
    rig.loop.leave(List.of(stranger));
    rig.begin("ior");
    assertThat(rig.answers).containsExactly(new HoldState(0, 0, true));
    assertThat(rig.loop.silentNodes()).isEmpty();
  }

  @Test
  void aNodeThatHasLeftIsNotSilent() {
    var silent = rig.silentNode("a");
    rig.run(3100);
    rig.loop.leave(rig.loop.silentNodes());
    assertThat(rig.loop.silentNodes()).isEmpty();
    int permits = silent.permits.size();
    rig.run(3000);
    assertThat(silent.permits).hasSize(permits);
  }

  @Test
  void aNodeThatComesAgainBeginsAnew() {
    rig.silentNode("a");
    rig.run(3100);
    rig.silentNode("a");
    assertThat(rig.loop.silentNodes()).isEmpty();
  }

  @Test
  void thePatienceIsConfigured() {
    var hasty =
        new ControlRig(
            BufferMode.FULL_DELAY,
            "eley.heartbeat.timeout",
            "300ms",
            "eley.permit.renewal",
            "50ms");
    hasty.silentNode("a");
    hasty.run(300);
    assertThat(hasty.loop.silentNodes()).isEmpty();
    hasty.run(100);
    assertThat(hasty.loop.silentNodes()).hasSize(1);
  }
}
