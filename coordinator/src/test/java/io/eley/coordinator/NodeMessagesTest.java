package io.eley.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.DeploymentReport.NodeReport;
import io.eley.bb.api.wire.MetadataMessage.View;
import io.eley.bb.api.wire.NodeMessage.FetchBlocks;
import io.eley.bb.api.wire.NodeMessage.GrantPermit;
import io.eley.bb.api.wire.NodeMessage.Register;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes' messages to the coordinator, one at a time on virtual time. */
class NodeMessagesTest {
  private static final BlockId BLOCK = new BlockId(new FileVersion("/in", 10, 1), 0);

  @TempDir Path directory;
  private CoordinatorRig rig;

  @BeforeEach
  void start() throws Exception {
    rig = new CoordinatorRig(directory, "eley.heartbeat-timeout", "2s");
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
  }

  private static List<String> names(View view) {
    return view.view().nodes().stream().map(n -> n.id().value()).toList();
  }

  @Test
  void aNodeThatRegistersGetsTheViewAndAPermit() {
    var session = new FakeSession("n1");
    long asked = rig.send(session, new Register(CoordinatorRig.address("n1"), 1 << 30));

    assertThat(session.replies).containsOnlyKeys(asked);
    assertThat(names((View) session.replies.get(asked))).containsExactly("n1");
    assertThat(session.pushed(GrantPermit.class)).hasSize(1);
    assertThat(session.pushed(View.class)).as("everybody is told, it too").hasSize(1);
  }

  @Test
  void everybodyIsToldOfANewNode() {
    var first = rig.registered("n1");
    var second = rig.registered("n2");

    assertThat(names(first.last(View.class))).containsExactly("n1", "n2");
    assertThat(first.last(View.class)).isEqualTo(second.last(View.class));
    assertThat(first.last(View.class).view().epoch())
        .as("it began at 7, and each node changes it once")
        .isEqualTo(9);
  }

  @Test
  void aNodeThatComesBackOverANewConnectionChangesNoView() {
    var old = rig.registered("n1");
    int told = old.pushed(View.class).size();
    var back = rig.registered("n1");

    assertThat(old.closed()).isTrue();
    assertThat(back.pushed(View.class)).hasSize(told - 1);
    assertThat(back.pushed(GrantPermit.class)).as("it knows nothing of the old one").hasSize(1);
    assertThat(rig.coordinator.report().epoch()).isEqualTo(8);
  }

  @Test
  void aReportOverAnotherConnectionThanTheRegisteredOneIsRefused() {
    rig.registered("n1");
    var stranger = new FakeSession("n1");
    long asked = rig.changed(stranger, "n1", List.of(BLOCK));

    assertThat(stranger.replies.get(asked))
        .isInstanceOfSatisfying(
            Failure.class, f -> assertThat(f.code()).isEqualTo(ErrorCode.NOT_REGISTERED));
    assertThat(rig.coordinator.report().nodes()).hasSize(1);
  }

  @Test
  void aConfirmationOverAnotherConnectionIsDropped() {
    var session = rig.registered("n1");
    var stranger = new FakeSession("n1");
    stranger.push(session.last(GrantPermit.class));
    rig.confirm("n1", stranger, 4711);

    NodeReport node = rig.coordinator.report().nodes().get(0);
    assertThat(node.counters().originBytes()).isEmpty();
    rig.confirm("n1", session, 4711);
    assertThat(rig.coordinator.report().nodes().get(0).counters().originBytes().values())
        .containsExactly(4711L);
  }

  @Test
  void aReportOfBlocksIsConfirmedAndRemembered() {
    var session = rig.registered("n1");
    long asked = rig.changed(session, "n1", List.of(BLOCK));

    assertThat(session.replies.get(asked)).isEqualTo(new Ok());
    assertThat(rig.coordinator.why("/in"))
        .containsExactly(
            "no live stage has a task that reads /in; 1 of its blocks lies in RAM until others need"
                + " the room.",
            "block 0 is in RAM on n1 since 0.0 s.");
  }

  @Test
  void blocksOfANodeThatIsGoneOrBeginsAnewAreNotSaidToBeInRam() {
    String nowhere =
        "no live stage has a task that reads /in; what nobody plans to read is not prefetched";
    var session = rig.registered("n1");
    rig.changed(session, "n1", List.of(BLOCK));
    session = rig.registered("n1");
    assertThat(rig.coordinator.why("/in")).containsExactly(nowhere);

    rig.changed(session, "n1", List.of(BLOCK));
    assertThat(rig.coordinator.why("/in")).hasSize(2);
    rig.thread.run(Duration.ofSeconds(5));
    assertThat(rig.coordinator.report().nodes()).isEmpty();
    assertThat(rig.coordinator.why("/in")).containsExactly(nowhere);
  }

  @Test
  void whatOnlyACoordinatorSendsIsRefused() {
    var session = rig.registered("n1");
    long asked = rig.send(session, new FetchBlocks(BlockPart.whole(List.of(BLOCK))));

    assertThat(session.replies.get(asked))
        .isEqualTo(new Failure(ErrorCode.MALFORMED, "FETCH_BLOCKS is not for me"));
  }

  @Test
  void aNodeThatLeavesItsPermitUnansweredIsRemovedAndTheOthersAreTold() {
    var silent = rig.registered("n1");
    var alive = rig.registered("n2");
    rig.run(Duration.ofSeconds(1), Map.of("n1", silent, "n2", alive));
    rig.run(Duration.ofSeconds(4), Map.of("n2", alive));

    assertThat(silent.closed()).isTrue();
    assertThat(names(alive.last(View.class))).containsExactly("n2");
    assertThat(rig.coordinator.report().nodes()).extracting(NodeReport::id).containsExactly("n2");
    assertThat(alive.closed()).isFalse();
  }

  @Test
  void aReportOfBlocksCountsAsASignOfLife() {
    var session = rig.registered("n1");
    for (int second = 0; second < 6; second++) {
      rig.thread.run(Duration.ofSeconds(1));
      rig.changed(session, "n1", List.of());
    }
    assertThat(session.closed()).isFalse();
    assertThat(rig.coordinator.report().nodes())
        .extracting(NodeReport::heardMillisAgo)
        .containsExactly(0L);
  }

  @Test
  void aRemovedNodeMayRegisterAgain() {
    rig.registered("n1");
    rig.thread.run(Duration.ofSeconds(5));
    assertThat(rig.coordinator.report().nodes()).isEmpty();

    var back = rig.registered("n1");
    assertThat(names(back.last(View.class))).containsExactly("n1");
    assertThat(rig.coordinator.report().nodes().get(0).id()).isEqualTo(new NodeId("n1").value());
  }
}
