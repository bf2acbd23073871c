package io.eley.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.wire.PhaseMessage.BeginPhase;
import io.eley.bb.api.wire.PhaseMessage.EndPhase;
import io.eley.bb.api.wire.PhaseMessage.PhaseHeld;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** How long announcements wait for all nodes to hold. */
@Tag("timing")
@Isolated("it judges time")
class HoldLatencyTest {
  private static final int ANNOUNCEMENTS = 60;

  @TempDir Path temporary;

  @Test
  void aPhaseIsHeldByAllNodesWithinFiftyMilliseconds() throws Exception {
    try (var deployment = new TestDeployment(temporary, BufferMode.FULL_DELAY)) {
      var nodes = new FakeNode[] {deployment.node("n1", 1001), deployment.node("n2", 1002)};
      for (FakeNode node : nodes) {
        node.register();
      }
      var announcer = deployment.connect();
      long[] micros = new long[ANNOUNCEMENTS];
      for (int i = 0; i < ANNOUNCEMENTS; i++) {
        for (FakeNode node : nodes) {
          node.tells();
        }
        var held =
            (PhaseHeld) TestDeployment.ask(announcer, new BeginPhase("ior", Duration.ofMinutes(1)));
        assertThat(held.nodes()).isEqualTo(2);
        assertThat(held.confirmed()).isEqualTo(2);
        assertThat(nodes)
            .allSatisfy(n -> assertThat(n.permit.permit().prefetch().closed()).isTrue());
        micros[i] = held.micros();
        TestDeployment.ask(announcer, new EndPhase("ior"));
      }
      Arrays.sort(micros);
      System.out.printf(
          "hold latency over %d announcements: median %d µs, p99 %d µs%n",
          ANNOUNCEMENTS, micros[ANNOUNCEMENTS / 2], micros[ANNOUNCEMENTS * 99 / 100]);
      assertThat(micros[ANNOUNCEMENTS / 2]).isLessThan(50_000);
    }
  }
}
