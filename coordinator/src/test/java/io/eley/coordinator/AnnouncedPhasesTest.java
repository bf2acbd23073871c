package io.eley.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.DeploymentReport.PhaseReport;
import io.eley.bb.api.wire.NodeMessage.GrantPermit;
import io.eley.bb.api.wire.PhaseMessage.BeginPhase;
import io.eley.bb.api.wire.PhaseMessage.PhaseHeld;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Announcements and the report of the deployment, on virtual time. */
class AnnouncedPhasesTest {
  private static final Duration LEASE = Duration.ofSeconds(10);

  @TempDir Path directory;
  private CoordinatorRig rig;
  private final List<PhaseHeld> answers = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    rig = new CoordinatorRig(directory, "eley.mode", "FullDelay");
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
  }

  private void begin(String application) {
    rig.coordinator.announcements().begin(new BeginPhase(application, LEASE), answers::add);
    rig.thread.runDue();
  }

  private static boolean prefetches(FakeSession node) {
    return !node.last(GrantPermit.class).permit().prefetch().closed();
  }

  private boolean end(String application) {
    var ended = rig.coordinator.announcements().end(application);
    rig.thread.runDue();
    return ended.join();
  }

  @Test
  void withoutNodesTheAnswerComesAtOnce() {
    begin("hpc");
    assertThat(answers).containsExactly(new PhaseHeld(0, 0, 0));
  }

  @Test
  void theAnswerWaitsForEveryNodeAndSaysHowLong() {
    var first = rig.registered("n1");
    var second = rig.registered("n2");
    begin("hpc");
    assertThat(prefetches(first)).isFalse();

    rig.thread.run(Duration.ofMillis(3));
    rig.confirm("n1", first, 0);
    assertThat(answers).isEmpty();
    rig.thread.run(Duration.ofMillis(4));
    rig.confirm("n2", second, 0);

    assertThat(answers).containsExactly(new PhaseHeld(2, 2, 7_000));
  }

  @Test
  void anAnswerDoesNotWaitForANodeThatSaysNothingForEver() {
    var first = rig.registered("n1");
    rig.registered("n2");
    begin("hpc");
    rig.confirm("n1", first, 0);
    rig.thread.run(Duration.ofSeconds(10));

    assertThat(answers).containsExactly(new PhaseHeld(2, 1, 200_000));
  }

  @Test
  void anEndSaysWhetherThereWasAPhaseAndOpensThePermitsAgain() {
    var node = rig.registered("n1");
    assertThat(end("hpc")).isFalse();
    begin("hpc");
    assertThat(end("hpc")).isTrue();
    assertThat(end("hpc")).as("it is over already").isFalse();
    assertThat(prefetches(node)).isTrue();
  }

  @Test
  void aPhaseIsInTheReportWithItsAgeUntilItEnds() {
    var node = rig.registered("n1");
    begin("hpc");
    rig.confirm("n1", node, 0);
    rig.run(Duration.ofSeconds(2), Map.of("n1", node));

    DeploymentReport report = rig.coordinator.announcements().report().getNow(null);
    assertThat(report).as("asked on the agent's thread, which has not run").isNull();
    assertThat(rig.coordinator.report().phases())
        .containsExactly(new PhaseReport("hpc", "announced", 100, 2_000));
    assertThat(rig.coordinator.report().permitReason()).contains("hpc");
    end("hpc");
    assertThat(rig.coordinator.report().phases()).isEmpty();
  }

  @Test
  void aLeaseThatIsNotRenewedEndsThePhase() {
    var node = rig.registered("n1");
    begin("hpc");
    rig.run(LEASE.plusSeconds(2), Map.of("n1", node));

    assertThat(rig.coordinator.report().phases()).isEmpty();
    rig.run(Duration.ofSeconds(2), Map.of("n1", node));
    assertThat(rig.entries)
        .singleElement()
        .satisfies(e -> assertThat(e.ending()).isEqualTo("LEASE_EXPIRED"));
  }

  @Test
  void aRenewedLeaseKeepsOnePhaseOpen() {
    var node = rig.registered("n1");
    for (int renewal = 0; renewal < 5; renewal++) {
      begin("hpc");
      rig.run(LEASE.dividedBy(2), Map.of("n1", node));
    }
    assertThat(rig.coordinator.report().phases())
        .containsExactly(new PhaseReport("hpc", "announced", 100, 25_000));
    assertThat(answers).hasSize(5);
  }

  @Test
  void theLedgerGetsOneEntryAPhaseWithWhatNodesReadMeanwhile() {
    var node = rig.registered("n1");
    rig.run(Duration.ofSeconds(1), Map.of("n1", node));
    begin("hpc");
    rig.confirm("n1", node, 0);
    rig.thread.run(Duration.ofSeconds(3));
    end("hpc");
    rig.confirm("n1", node, 0);
    rig.run(Duration.ofSeconds(1), Map.of("n1", node));

    assertThat(rig.entries)
        .singleElement()
        .satisfies(
            e -> {
              assertThat(e.application()).isEqualTo("hpc");
              assertThat(e.length()).isEqualTo(Duration.ofSeconds(3));
              assertThat(e.hold().complete()).isTrue();
              assertThat(e.ourBytes().values()).allMatch(bytes -> bytes == 0);
              assertThat(e.ending()).isEqualTo("ANNOUNCED");
            });
  }

  @Test
  void ourBytesCountFromTheHoldToTheFirstWordAfterThePhase() {
    var node = rig.registered("n1");
    rig.confirm("n1", node, 1000);
    rig.thread.run(Duration.ofSeconds(1));
    begin("hpc");
    rig.confirm("n1", node, 5000); // read before the hold was confirmed
    rig.thread.run(Duration.ofSeconds(2));
    end("hpc");
    rig.confirm("n1", node, Map.of(ReadCause.PREFETCH, 5100L, ReadCause.DEMAND, 7L));
    rig.thread.run(Duration.ofSeconds(1));

    assertThat(rig.entries)
        .singleElement()
        .satisfies(
            e ->
                assertThat(e.ourBytes())
                    .isEqualTo(Map.of(ReadCause.PREFETCH, 100L, ReadCause.DEMAND, 7L)));
  }

  @Test
  void theReportSaysWhatTheDeploymentIs() {
    rig.registered("n1");
    rig.thread.run(Duration.ofMillis(250));
    DeploymentReport report = rig.coordinator.report();

    assertThat(report.mode().label()).isEqualTo("FullDelay");
    assertThat(report.uptimeMillis()).isEqualTo(250);
    assertThat(report.originAddress()).isEqualTo("rig");
    assertThat(report.nodes())
        .extracting(n -> n.host() + ":" + n.port())
        .containsExactly("host-of-n1:7000");
    assertThat(report.nodes()).extracting(n -> n.heardMillisAgo()).containsExactly(250L);
    assertThat(report.control().forecasts()).isEmpty();
    assertThat(report.control().models())
        .last()
        .asString()
        .isEqualTo("prediction: no phase was foreseen yet");
    assertThat(report.applications()).isEmpty();
  }
}
