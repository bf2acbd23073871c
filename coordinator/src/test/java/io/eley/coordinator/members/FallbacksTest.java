package io.eley.coordinator.members;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.Permit.Lane;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.wire.FallbackMessage.AskFallback;
import io.eley.bb.api.wire.FallbackMessage.FallbackLane;
import io.eley.controller.loop.PastRead;
import org.junit.jupiter.api.Test;

class FallbacksTest {
  private static final long SECOND = 1_000_000_000;
  private final Fallbacks fallbacks = new Fallbacks();

  @Test
  void clientsThatReadNowShareWhatANodeMayRead() {
    var lane = new Lane(1000, 4);
    assertThat(answer(report("a", 0), lane, 0).bytesPerSecond()).isEqualTo(1000);
    assertThat(answer(report("b", 0), lane, 0).bytesPerSecond()).isEqualTo(500);
    assertThat(answer(report("a", 0), lane, 0).bytesPerSecond()).isEqualTo(500);
    assertThat(answer(report("a", 0), lane, 3 * SECOND).bytesPerSecond())
        .as("the other is gone")
        .isEqualTo(1000);
  }

  @Test
  void aHeldLaneIsHeldForThemAndAnOpenOneOpen() {
    assertThat(answer(report("a", 0), Lane.CLOSED, 0).bytesPerSecond()).isZero();
    assertThat(answer(report("a", 0), Lane.OPEN, 0).bytesPerSecond()).isEqualTo(Lane.UNLIMITED);
  }

  @Test
  void bytesAreCountedOnceHoweverOftenTheyAreReported() {
    answer(report("a", 10), Lane.OPEN, 0);
    answer(report("a", 10), Lane.OPEN, 0);
    answer(report("a", 30), Lane.OPEN, 0);
    answer(report("b", 5), Lane.OPEN, 0);
    assertThat(fallbacks.bytes(ReadCause.FALLBACK)).isEqualTo(35);
    assertThat(new Fallbacks().describe(0)).isEmpty();
  }

  @Test
  void aSuccessorCountsOnlyWhatItsPredecessorDidNot() {
    answer(new AskFallback("a", ReadCause.FALLBACK, 1_000_700, 1_000_000, 0, 0), Lane.OPEN, 0);
    answer(new AskFallback("a", ReadCause.FALLBACK, 1_000_900, 1_000_700, 0, 0), Lane.OPEN, 0);
    assertThat(fallbacks.bytes(ReadCause.FALLBACK)).isEqualTo(900);
  }

  @Test
  void aReportWhoseAnswerWasLostIsCountedOnce() {
    answer(new AskFallback("a", ReadCause.FALLBACK, 50, 0, 0, 0), Lane.OPEN, 0);
    answer(new AskFallback("a", ReadCause.FALLBACK, 70, 0, 0, 0), Lane.OPEN, 0);
    assertThat(fallbacks.bytes(ReadCause.FALLBACK)).isEqualTo(70);
  }

  @Test
  void eachCauseIsAskedForAndCountedByItself() {
    answer(report("a", 10), Lane.OPEN, 0);
    answer(new AskFallback("a", ReadCause.DIRECT, 1000, 0, 0, 0), Lane.OPEN, 0);
    answer(new AskFallback("a", ReadCause.DIRECT, 1500, 1000, 0, 0), Lane.OPEN, 0);
    assertThat(fallbacks.bytes(ReadCause.FALLBACK)).isEqualTo(10);
    assertThat(fallbacks.bytes(ReadCause.DIRECT)).isEqualTo(1500);
    answer(new AskFallback("b", ReadCause.WRITE, 20, 0, 0, 0), Lane.OPEN, 0);
    assertThat(fallbacks.describe(0))
        .contains(
            "past the buffer: 1510 bytes read, 1500 of them on purpose, 20 written, by 2 clients"
                + " just now");
  }

  @Test
  void aReportIsOfTheTimeAboutItsAge() {
    assertThat(fallbacks.take(report("a", 10, 0, SECOND / 8), SECOND))
        .isEqualTo(new PastRead(ReadCause.FALLBACK, 10, SECOND - SECOND / 4, SECOND));
    assertThat(fallbacks.take(report("a", 70, 2 * SECOND, SECOND), 3 * SECOND))
        .isEqualTo(new PastRead(ReadCause.FALLBACK, 60, SECOND, 3 * SECOND));
  }

  @Test
  void aReportThatWasLongOnItsWayIsOfTheTimeBeforeIt() {
    fallbacks.take(report("a", 0, -7 * SECOND, 0), SECOND);
    assertThat(fallbacks.take(report("a", 60, -6 * SECOND, SECOND / 4), 3 * SECOND))
        .isEqualTo(new PastRead(ReadCause.FALLBACK, 60, 2 * SECOND - SECOND / 2, 2 * SECOND));
  }

  private FallbackLane answer(AskFallback question, Lane demand, long now) {
    fallbacks.take(question, now);
    return fallbacks.lane(demand, now);
  }

  private static AskFallback report(String client, long bytes) {
    return report(client, bytes, 0, 0);
  }

  private static AskFallback report(String client, long bytes, long at, long age) {
    return new AskFallback(client, ReadCause.FALLBACK, bytes, 0, at, age);
  }
}
