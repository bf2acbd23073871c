package io.eley.bb.api.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReadAheadTest {
  private final ReadAhead ahead = new ReadAhead();

  @Test
  void theNextBlockIsAskedForOnceAfterTwoReadsThatFollowEachOther() {
    assertThat(ahead.noted(0, 10, 0)).isEqualTo(-1);
    assertThat(ahead.noted(10, 10, 0)).isEqualTo(-1);
    assertThat(ahead.noted(20, 10, 0)).isEqualTo(1);
    assertThat(ahead.noted(30, 10, 0)).isEqualTo(-1);
    assertThat(ahead.noted(40, 10, 1)).isEqualTo(2);
  }

  @Test
  void jumpingAboutAsksForNothing() {
    for (int i = 0; i < 20; i++) {
      assertThat(ahead.noted(1000L * i, 10, i)).isEqualTo(-1);
    }
  }
}
