package io.eley.coordinator.members;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.NodeId;
import io.eley.bb.api.wire.NodeCounters;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServedSinceStartTest {
  private static final NodeId A = new NodeId("a");
  private static final NodeId B = new NodeId("b");

  private final ServedSinceStart bytes = new ServedSinceStart();

  private void tells(NodeId node, long served, long hits) {
    bytes.note(node, new NodeCounters(1, 0, 0, served, hits, Map.of(), 0, 0, 0, true, 0));
  }

  @Test
  void whatANodeServedBeforeWeHeardOfItIsNotOurs() {
    tells(A, 100, 60);
    assertThat(bytes.served()).isZero();
    tells(A, 101, 61);
    tells(A, 103, 61);
    assertThat(bytes.served()).isEqualTo(3);
    assertThat(bytes.hits()).isEqualTo(1);
  }

  @Test
  void whatANodeServedBeforeItWasStartedAgainIsKept() {
    tells(A, 0, 0);
    tells(B, 0, 0);
    tells(A, 10, 10);
    tells(B, 5, 0);
    tells(A, 2, 1);
    tells(A, 4, 1);
    assertThat(bytes.served()).isEqualTo(10 + 5 + 4);
    assertThat(bytes.hits()).isEqualTo(10 + 1);
  }
}
