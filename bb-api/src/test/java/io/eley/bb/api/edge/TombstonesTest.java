package io.eley.bb.api.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TombstonesTest {
  private long clock;
  private final Tombstones<Integer> ended = new Tombstones<>(3, Duration.ofNanos(10), () -> clock);

  @Test
  void whatHasEndedIsRemembered() {
    ended.add(1);
    assertThat(ended.has(1)).isTrue();
    assertThat(ended.has(2)).isFalse();
  }

  @Test
  void theOldestMakesRoom() {
    for (int i = 1; i <= 3; i++) {
      ended.add(i);
    }
    ended.add(1);
    ended.add(4);
    assertThat(ended.has(2)).as("the oldest").isFalse();
    assertThat(ended.has(1)).as("which has ended again").isTrue();
    assertThat(ended.has(3)).isTrue();
    assertThat(ended.has(4)).isTrue();
    assertThat(ended.all()).containsExactly(3, 1, 4);
  }

  @Test
  void itIsForgottenAfterItsLife() {
    clock = Long.MAX_VALUE - 3;
    ended.add(1);
    clock += 9;
    assertThat(ended.has(1)).isTrue();
    clock += 1;
    assertThat(ended.has(1)).isFalse();
  }

  @Test
  void ofAllOnlyThoseAreToldThatEndedLately() {
    ended.add(1);
    clock += 5;
    ended.add(2);
    clock += 4;
    assertThat(ended.all()).containsExactly(1, 2);
    clock += 1;
    assertThat(ended.all()).containsExactly(2);
    clock += 5;
    assertThat(ended.all()).isEmpty();
  }

  @Test
  void whatBeginsAgainIsNotOneOfThem() {
    ended.add(1);
    ended.add(2);
    ended.remove(1);
    assertThat(ended.has(1)).isFalse();
    assertThat(ended.all()).containsExactly(2);
  }
}
