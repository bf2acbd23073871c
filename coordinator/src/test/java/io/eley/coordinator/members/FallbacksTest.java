package io.eley.coordinator.members;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.Permit.Lane;
import io.eley.bb.api.wire.FallbackMessage.AskFallback;
import org.junit.jupiter.api.Test;

class FallbacksTest {
  private static final long SECOND = 1_000_000_000;
  private final Fallbacks fallbacks = new Fallbacks();

  @Test
  void clientsThatReadNowShareWhatANodeMayRead() {
    var lane = new Lane(1000, 4);
    assertThat(fallbacks.answer(report("a", 0), lane, 0).bytesPerSecond()).isEqualTo(1000);
    assertThat(fallbacks.answer(report("b", 0), lane, 0).bytesPerSecond()).isEqualTo(500);
    assertThat(fallbacks.answer(report("a", 0), lane, 0).bytesPerSecond()).isEqualTo(500);
    assertThat(fallbacks.answer(report("a", 0), lane, 3 * SECOND).bytesPerSecond())
        .as("the other is gone")
        .isEqualTo(1000);
  }

  @Test
  void aHeldLaneIsHeldForThemAndAnOpenOneOpen() {
    assertThat(fallbacks.answer(report("a", 0), Lane.CLOSED, 0).bytesPerSecond()).isZero();
    assertThat(fallbacks.answer(report("a", 0), Lane.OPEN, 0).bytesPerSecond())
        .isEqualTo(Lane.UNLIMITED);
  }

  @Test
  void bytesAreCountedOnceHoweverOftenTheyAreReported() {
    fallbacks.answer(report("a", 10), Lane.OPEN, 0);
    fallbacks.answer(report("a", 10), Lane.OPEN, 0);
    fallbacks.answer(report("a", 30), Lane.OPEN, 0);
    fallbacks.answer(report("b", 5), Lane.OPEN, 0);
    assertThat(fallbacks.bytes()).isEqualTo(35);
    assertThat(new Fallbacks().describe(0)).isEmpty();
  }

  @Test
  void aSuccessorCountsOnlyWhatItsPredecessorDidNot() {
    fallbacks.answer(new AskFallback("a", 1_000_700, 1_000_000), Lane.OPEN, 0);
    fallbacks.answer(new AskFallback("a", 1_000_900, 1_000_700), Lane.OPEN, 0);
    assertThat(fallbacks.bytes()).isEqualTo(900);
  }

  @Test
  void aReportWhoseAnswerWasLostIsCountedOnce() {
    fallbacks.answer(new AskFallback("a", 50, 0), Lane.OPEN, 0);
    fallbacks.answer(new AskFallback("a", 70, 0), Lane.OPEN, 0);
    assertThat(fallbacks.bytes()).isEqualTo(70);
  }

  private static AskFallback report(String client, long bytes) {
    return new AskFallback(client, bytes, 0);
  }
}
