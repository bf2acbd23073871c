package io.eley.bb.api.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
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

  @Test
  void aJumpBeginsTheCountAnew() {
    assertThat(ahead.noted(0, 10, 0)).isEqualTo(-1);
    assertThat(ahead.noted(10, 10, 0)).isEqualTo(-1);
    assertThat(ahead.noted(30, 10, 0)).isEqualTo(-1);
    assertThat(ahead.noted(40, 10, 0)).isEqualTo(-1);
    assertThat(ahead.noted(50, 10, 0)).isEqualTo(1);
  }

  @Test
  void eachBlockOfAScanIsAskedForOnceWhileTheOneBeforeIsRead() {
    var asked = new ArrayList<Integer>();
    for (int at = 0; at < 400; at += 10) {
      int block = ahead.noted(at, 10, at / 100);
      if (block >= 0) {
        assertThat(block).isEqualTo(at / 100 + 1);
        asked.add(block);
      }
    }
    assertThat(asked).containsExactly(1, 2, 3, 4);
  }

  @Test
  void aScanFromTheMiddleAsksForTheBlockAfterItsOwn() {
    assertThat(ahead.noted(700, 10, 7)).isEqualTo(-1);
    assertThat(ahead.noted(710, 10, 7)).isEqualTo(-1);
    assertThat(ahead.noted(720, 10, 7)).isEqualTo(8);
  }
}
