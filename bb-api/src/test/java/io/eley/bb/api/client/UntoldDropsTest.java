package io.eley.bb.api.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.NodeId;
import java.util.List;
import org.junit.jupiter.api.Test;

class UntoldDropsTest {
  private static final NodeId A = new NodeId("a");
  private static final NodeId B = new NodeId("b");

  private long now;
  private final UntoldDrops untold = new UntoldDrops(() -> now);

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
  void whoIsAwayIsToldOfAllOnceItIsBackInTime() {
    untold.see(List.of(A, B));
    untold.add(1);
    untold.take(B);
    untold.see(List.of(B));
    now += UntoldDrops.AWAY.toNanos();
    untold.see(List.of(B));
    untold.add(2);
    untold.take(B);
    assertThat(untold.isEmpty()).isFalse();
    untold.see(List.of(A, B));
    now += UntoldDrops.AWAY.toNanos();
    untold.see(List.of(A, B));
    assertThat(untold.take(A)).containsExactly(1, 2);
    assertThat(untold.isEmpty()).isTrue();
  }

  @Test
  void whoIsAwayForLongIsForgotten() {
    untold.see(List.of(A));
    untold.add(1);
    untold.see(List.of());
    now += UntoldDrops.AWAY.toNanos() + 1;
    untold.see(List.of());
    untold.add(2);
    assertThat(untold.isEmpty()).isTrue();
  }

  @Test
  void nothingIsLeftToTellWhenTheApplicationHasEnded() {
    untold.add(A, 1);
    untold.end();
    untold.add(A, 2); // by one who was telling it
    assertThat(untold.has(A)).isFalse();
  }
}
