package io.eley.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.wire.PlanMessage;
import io.eley.bb.api.wire.PlanMessage.EndApplication;
import io.eley.bb.api.wire.PlanMessage.WaveSize;
import io.eley.bb.api.wire.ScratchMessage.DropScratch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

  private void tell(PlanMessage message) {
    rig.agent.execute(() -> rig.coordinator.handleDriver(driver, ++correlations, message));
    rig.thread.runDue();
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
  void whatHasBegunAgainIsNotDropped() {
    tell(new EndApplication("app-1"));
    tell(new WaveSize("app-1", 2));
    assertThat(rig.registered("n1").pushed(DropScratch.class)).isEmpty();
  }
}
