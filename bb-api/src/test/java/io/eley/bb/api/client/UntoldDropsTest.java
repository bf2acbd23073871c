package io.eley.bb.api.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.NodeId;
import org.junit.jupiter.api.Test;

class UntoldDropsTest {
  private static final NodeId A = new NodeId("a");
  private static final NodeId B = new NodeId("b");

  private final UntoldDrops untold = new UntoldDrops();

  @Test
  void eachNodeIsToldForItself() {
    untold.add(A, 1);
    untold.add(A, 2);
    untold.add(A, 1);
    untold.add(B, 1);
    assertThat(untold.take(A)).containsExactly(1, 2);
    assertThat(untold.has(A)).isFalse();
    assertThat(untold.has(B)).isTrue();
    assertThat(untold.take(B)).containsExactly(1);
  }

  @Test
  void theOldestAreForgottenWhenTheyAreTooMany() {
    untold.add(B, 0);
    for (int shuffle = 0; shuffle < UntoldDrops.MOST; shuffle++) {
      untold.add(A, shuffle);
    }
    assertThat(untold.has(B)).isFalse();
    assertThat(untold.take(A)).hasSize(UntoldDrops.MOST);
  }

  @Test
  void nothingIsLeftToTellWhenTheApplicationHasEnded() {
    untold.add(A, 1);
    untold.end();
    untold.add(A, 2); // by one who was telling it
    assertThat(untold.has(A)).isFalse();
  }
}
