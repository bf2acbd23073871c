package io.eley.bb.api.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PastBytesTest {
  private final long now = System.nanoTime();
  private final PastBytes moved = new PastBytes();

  @Test
  void theAgeIsOfTheBytesThatNobodyKnowsOf() {
    moved.count(100, now, now + 200);
    PastBytes.Report first = moved.report(now + 300);
    assertThat(first.age()).isEqualTo(200);
    moved.count(300, now + 300, now + 500);
    assertThat(moved.report(now + 500).age()).as("a quarter for 400, three for 100").isEqualTo(175);
    moved.answered(first);
    PastBytes.Report second = moved.report(now + 600);
    assertThat(second.age()).isEqualTo(200);
    assertThat(second.bytes()).isEqualTo(400);
    assertThat(second.answered()).isEqualTo(100);
    assertThat(moved.unanswered()).isTrue();
    moved.answered(second);
    assertThat(moved.unanswered()).isFalse();
    assertThat(moved.report(now + 900).age()).isZero();
  }

  @Test
  void anAnswerThatComesAgainTakesNothingAway() {
    moved.count(100, now, now + 200);
    PastBytes.Report first = moved.report(now + 300);
    moved.answered(first);
    moved.count(100, now + 300, now + 500);
    moved.answered(first);
    assertThat(moved.report(now + 500).age()).isEqualTo(100);
  }
}
