package io.eley.controller.phase;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What clients report of their reads past the buffer, in milliseconds. */
class PastTheBufferTest {
  private static final long MS = 1_000_000;

  private final PastTheBuffer past = new PastTheBuffer();

  private void reported(long bytes, long millis) {
    past.observe(bytes, millis * MS);
  }

  private long mayHaveMoved(long from, long to) {
    return past.mayHaveMoved(from * MS, to * MS);
  }

  @Test
  void withoutAReportNothingWasReadAndNobodyIsWaitedFor() {
    assertThat(past.complete(1000 * MS, 1000 * MS)).isTrue();
    assertThat(mayHaveMoved(0, 1000)).isZero();
  }

  @Test
  void whatIsReportedHalfASecondLaterMayHaveBeenReadBefore() {
    reported(10, 0);
    reported(110, 1000);
    reported(310, 1400);
    reported(360, 1600);
    assertThat(mayHaveMoved(500, 900)).isEqualTo(300);
    assertThat(mayHaveMoved(500, 899)).as("the second came too late for it").isEqualTo(100);
    assertThat(mayHaveMoved(1000, 1100)).isEqualTo(250);
    assertThat(past.reported(1000 * MS, 1400 * MS)).isEqualTo(200);
    assertThat(past.reported(1000 * MS, 1399 * MS)).isZero();
  }

  @Test
  void reportsOfTwentyMillisecondsAreOneAtTheirEnd() {
    reported(100, 1001);
    reported(200, 1019);
    reported(300, 1020);
    reported(400, 1021);
    assertThat(past.reported(0, 1019 * MS)).isZero();
    assertThat(past.reported(0, 1020 * MS)).isEqualTo(300);
    assertThat(past.reported(0, 1039 * MS)).isEqualTo(300);
    assertThat(past.reported(0, 1040 * MS)).isEqualTo(400);
  }

  @Test
  void anIntervalIsCompleteHalfASecondLaterOrWhenNobodyReportsAnyMore() {
    reported(1, 900);
    assertThat(past.complete(1000 * MS, 1499 * MS)).isFalse();
    assertThat(past.complete(1000 * MS, 1500 * MS)).isTrue();
    assertThat(past.complete(1800 * MS, 1899 * MS)).isFalse();
    assertThat(past.complete(1800 * MS, 1900 * MS)).as("silence for a second").isTrue();
  }

  @Test
  void whatIsLongAgoIsForgottenAsASum() {
    for (int i = 0; i < 1100; i++) {
      reported(i * 10L, i * 20L);
    }
    long last = 1099 * 20;
    assertThat(past.reported(0, last * MS)).as("of the last thousand reports").isEqualTo(10_000);
    assertThat(past.reported((last - 20) * MS, last * MS)).isEqualTo(10);
  }
}
