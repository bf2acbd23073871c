package io.eley.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.StageId;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.DeploymentReport.ApplicationReport;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.PlanMessage;
import io.eley.bb.api.wire.PlanMessage.EndApplication;
import io.eley.bb.api.wire.PlanMessage.PlanStage;
import io.eley.bb.api.wire.PlanMessage.StartApplication;
import io.eley.bb.api.wire.PlanMessage.WaveSize;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.ScratchMessage.DropScratch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drivers that ended while no coordinator ran, on virtual time. */
class KilledDriversTest {
  private static final DropScratch DROP = new DropScratch("app-1", DropScratch.ALL);

  @TempDir Path directory;
  private final List<List<String>> kept = new ArrayList<>();
  private final FakeSession driver = new FakeSession("driver");
  private long correlations;
  private CoordinatorRig rig;
  private FakeSession node;

  @BeforeEach
  void start() throws Exception {
    rig = new CoordinatorRig(directory);
    rig.agent.execute(() -> rig.coordinator.takeOver(List.of("app-1"), kept::add));
    node = rig.registered("n1");
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
  }

  private void run(Duration time) {
    rig.run(time, Map.of("n1", node));
  }

  private Message tell(PlanMessage message) {
    rig.agent.execute(() -> rig.coordinator.handleDriver(driver, ++correlations, message));
    rig.thread.runDue();
    return Objects.requireNonNull(driver.replies.get(correlations));
  }

  /** Anew, with room for the plan of one application. */
  private void startWithLittleRoom() throws Exception {
    rig.close();
    rig = new CoordinatorRig(directory, "eley.plan-memory", "4k");
    rig.agent.execute(() -> rig.coordinator.takeOver(List.of(), kept::add));
    node = rig.registered("n1");
    assertThat(tell(new StartApplication("app-0", ""))).isEqualTo(new Ok());
    assertThat(tell(new StartApplication("app-1", "")))
        .isInstanceOfSatisfying(
            Failure.class, f -> assertThat(f.code()).isEqualTo(ErrorCode.NO_SPACE));
    assertThat(planned()).containsExactly("app-0");
    assertThat(kept).endsWith(List.of("app-0", "app-1"));
  }

  private List<String> planned() {
    return rig.coordinator.report().applications().stream()
        .map(ApplicationReport::application)
        .toList();
  }

  @Test
  void whatTheyLeftIsDroppedWhenTheyDoNotReport() {
    run(Duration.ofSeconds(299));
    assertThat(node.pushed(DropScratch.class)).as("it may be looking for us").isEmpty();
    run(Duration.ofSeconds(2));
    assertThat(node.pushed(DropScratch.class)).containsExactly(DROP);
    assertThat(kept).as("so it is done once").containsExactly(List.of());
  }

  @Test
  void aDriverThatReportsKeepsWhatItHas() {
    tell(new WaveSize("app-1", 2));
    tell(new WaveSize("app-2", 2));
    run(Duration.ofMinutes(10));
    assertThat(node.pushed(DropScratch.class)).isEmpty();
    assertThat(kept).endsWith(List.of("app-1", "app-2"));
  }

  @Test
  void theFarewellOfOneThatIsExpectedIsHeard() {
    tell(new EndApplication("app-1"));
    assertThat(node.pushed(DropScratch.class)).containsExactly(DROP);
    assertThat(kept).containsExactly(List.of());
  }

  @Test
  void aDriverThatReportsAndIsLostHasTheUsualGrace() {
    tell(new WaveSize("app-1", 2));
    rig.agent.execute(() -> rig.coordinator.closed(driver));
    run(Duration.ofSeconds(31));
    assertThat(node.pushed(DropScratch.class)).containsExactly(DROP);
  }

  @Test
  void aNodeThatWasAwayWhenTheyEndedIsToldWhenItIsBack() {
    tell(new EndApplication("app-1"));
    run(Duration.ofMinutes(9));
    assertThat(rig.registered("n2").pushed(DropScratch.class)).containsExactly(DROP);
    node = rig.registered("n1");
    assertThat(node.pushed(DropScratch.class)).containsExactly(DROP);
    run(Duration.ofMinutes(2));
    assertThat(node.pushed(DropScratch.class)).as("told once").containsExactly(DROP);
    assertThat(rig.registered("n3").pushed(DropScratch.class)).as("long ago").isEmpty();
  }

  @Test
  void theEndOfOneForWhosePlanThereWasNoRoomIsNoticed() throws Exception {
    startWithLittleRoom();
    rig.agent.execute(() -> rig.coordinator.closed(driver));
    run(Duration.ofSeconds(31));
    assertThat(node.pushed(DropScratch.class))
        .containsExactly(new DropScratch("app-0", DropScratch.ALL), DROP);
    assertThat(kept).endsWith(List.of());
  }

  @Test
  void oneForWhosePlanThereWasNoRoomIsPlannedWhenThereIs() throws Exception {
    startWithLittleRoom();
    assertThat(tell(new PlanStage(new StageId("app-1", 0, 0), List.of(), true)))
        .isInstanceOf(Failure.class);
    tell(new EndApplication("app-0"));
    assertThat(tell(new WaveSize("app-1", 2))).isEqualTo(new Ok());
    assertThat(planned()).containsExactly("app-1");
    assertThat(node.pushed(DropScratch.class)).as("it still runs").doesNotContain(DROP);
  }

  /** The names are kept in a file. */
  @Test
  void whatIsSaidAgainIsNotKeptAgain() throws Exception {
    startWithLittleRoom();
    int before = kept.size();
    for (int i = 0; i < 3; i++) {
      assertThat(tell(new StartApplication("app-0", ""))).isEqualTo(new Ok());
      assertThat(tell(new StartApplication("app-1", ""))).isInstanceOf(Failure.class);
    }
    assertThat(kept).hasSize(before);
  }

  /** Names come from outside. */
  @Test
  void ofVeryManyWithoutAPlanNotAllAreKnown() throws Exception {
    startWithLittleRoom();
    for (int i = 2; i < 1010; i++) {
      tell(new WaveSize("app-" + i, 2));
    }
    assertThat(kept.get(kept.size() - 1)).hasSize(1001).startsWith("app-0", "app-1", "app-2");
  }

  @Test
  void whatHasBegunAgainIsNotDropped() {
    tell(new EndApplication("app-1"));
    tell(new WaveSize("app-1", 2));
    assertThat(rig.registered("n1").pushed(DropScratch.class)).isEmpty();
  }
}
