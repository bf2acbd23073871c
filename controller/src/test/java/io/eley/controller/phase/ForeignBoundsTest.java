package io.eley.controller.phase;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.controller.phase.ForeignBytes.Foreign;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * How much of a total is taken away, for which answers of nodes, to the byte and the millisecond:
 * the total is of the second from 1000 to 2000, the slack 100.
 */
class ForeignBoundsTest {
  private static final long MS = 1_000_000;

  private final ForeignBytes foreign =
      new ForeignBytes(Duration.ofMillis(100), Duration.ofSeconds(1));

  private void answer(String node, long bytes, long asked, long heard) {
    foreign.observe(node, bytes, asked * MS, heard * MS);
  }

  private void total(long bytes) {
    foreign.addTotal(new Sighting(Evidence.SOMEBODY, 1000 * MS, 2000 * MS, bytes, false));
  }

  private List<Foreign> ready(long millis) {
    return foreign.ready(millis * MS);
  }

  private void assertForeign(long millis, long bytes, boolean exact) {
    var sighting = new Sighting(Evidence.SOMEBODY, 1000 * MS, 2000 * MS, bytes, false);
    assertThat(ready(millis)).containsExactly(new Foreign(sighting, exact));
    assertThat(ready(millis)).as("once").isEmpty();
  }

  @Test
  void twoAnswersAroundTheIntervalBoundWhatWasOurs() {
    answer("n", 50, 700, 880);
    answer("n", 100, 850, 900);
    answer("n", 400, 1400, 1500);
    answer("n", 600, 2100, 2150);
    answer("n", 900, 2200, 2250);
    total(1000);
    assertForeign(2250, 500, false);
  }

  @Test
  void whereNothingOfOursWasAllIsForeignExactly() {
    answer("n", 100, 850, 900);
    answer("n", 100, 2100, 2150);
    total(1000);
    assertForeign(2150, 1000, true);
  }

  @Test
  void anIntervalWithNothingButOursHasNothingForeign() {
    answer("n", 100, 850, 900);
    answer("n", 1600, 2100, 2150);
    total(1000);
    assertForeign(2150, 0, false);
  }

  @Test
  void anAnswerBoundsForTwiceTheSlackAndNoLonger() {
    answer("n", 0, 650, 700);
    answer("n", 400, 2300, 2350);
    total(1000);
    assertForeign(2350, 600, false);
  }

  @Test
  void olderAnswersAreJoinedByALineAndATenthIsAdded() {
    // One byte a millisecond: 1200 in the widened second.
    answer("n", 0, 650, 699);
    answer("n", 1451, 2100, 2150);
    total(2000);
    assertForeign(2150, 680, false);
    answer("m", 0, 850, 900);
    answer("m", 1451, 2301, 2351);
    foreign.forget("n");
    total(2000);
    assertForeign(2351, 680, false);
  }

  @Test
  void aTotalWaitsForAnAnswerToAQuestionAfterIt() {
    answer("n", 0, 850, 900);
    answer("n", 5, 2099, 2150);
    answer("m", 0, 2100, 2150);
    total(1000);
    assertThat(ready(2200)).isEmpty();
    answer("n", 5, 2100, 2250);
    assertThat(ready(2250)).hasSize(1);
  }

  @Test
  void aNodeThatHasLeftIsNotWaitedFor() {
    answer("n", 0, 850, 900);
    total(1000);
    assertThat(ready(2200)).isEmpty();
    foreign.forget("n");
    assertForeign(2200, 1000, true);
  }

  @Test
  void patienceEndsASecondAfterTheAnswerWasDue() {
    answer("n", 0, 850, 900);
    total(1000);
    assertThat(ready(3100)).isEmpty();
    assertThat(ready(3101)).hasSize(1);
  }

  @Test
  void allNodesAndWhatClientsReadAddUp() {
    for (String node : List.of("n", "m")) {
      answer(node, 0, 850, 900);
      answer(node, 100, 2100, 2150);
    }
    foreign.observePastTheBuffer(0, 500 * MS);
    foreign.observePastTheBuffer(30, 2400 * MS);
    total(1000);
    assertThat(ready(2599)).as("clients may report still").isEmpty();
    assertForeign(2600, 770, false);
    assertThat(foreign.ours(900 * MS, 2150 * MS)).isEqualTo(200);
    assertThat(foreign.ours(900 * MS, 2400 * MS)).as("going on as they did").isEqualTo(270);
  }

  @Test
  void anAnswerThatWasOvertakenSaysNoLessThanTheOther() {
    answer("n", 0, 850, 900);
    answer("n", 500, 2110, 2150);
    answer("n", 300, 2100, 2160);
    total(1000);
    assertForeign(2160, 500, false);
  }

  @Test
  void betweenTwoAnswersAndBehindTheLastOursGoOnEvenly() {
    assertThat(foreign.ours(0, 1000 * MS)).isZero();
    answer("n", 1000, 90, 100);
    assertThat(foreign.ours(0, 500 * MS)).as("one answer tells of no rate").isZero();
    answer("n", 1100, 190, 200);
    assertThat(foreign.ours(150 * MS, 180 * MS)).isEqualTo(30);
    assertThat(foreign.ours(0, 150 * MS)).as("nothing is known before the first").isEqualTo(50);
    assertThat(foreign.ours(190 * MS, 250 * MS)).isEqualTo(60);
    answer("n", 1100, 290, 300);
    assertThat(foreign.ours(100 * MS, 400 * MS)).isEqualTo(100);
  }

  @Test
  void onlyTheLastAnswersAreKept() {
    for (int i = 0; i < 300; i++) {
      answer("n", i, 10L * i, 10L * i);
    }
    assertThat(foreign.ours(0, 2990 * MS)).as("of 256 answers").isEqualTo(255);
  }
}
