package io.eley.bb.api.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.origin.OriginStatus;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class KeptStatusesTest {
  private static final Duration LEASE = Duration.ofMillis(500);

  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1_000_000);
  private final KeptStatuses kept = new KeptStatuses(clock::get);

  private void pass(long millis) {
    clock.addAndGet(millis * 1_000_000);
  }

  private static OriginStatus status(String path, long length) {
    return new OriginStatus(path, false, length, 1, 0644, "", "");
  }

  private void keep(KeptStatuses.Question question, long length) {
    question.keep(status("/f", length), LEASE);
  }

  private long length() {
    OriginStatus status = kept.get("/f");
    return status == null ? -1 : status.length();
  }

  @Test
  void aLeaseIsCountedFromTheQuestion() {
    var question = kept.ask("/f", false);
    pass(400);
    keep(question, 1);
    pass(99);
    assertThat(length()).isEqualTo(1);
    assertThat(kept.get("/g")).isNull();
    pass(1);
    assertThat(length()).isEqualTo(-1);
  }

  @Test
  void anAnswerThatTookAsLongAsItsLeaseIsNotGiven() {
    var question = kept.ask("/f", false);
    pass(500);
    keep(question, 1);
    assertThat(length()).isEqualTo(-1);
  }

  @Test
  void whatMayNotBeKeptIsNotGiven() {
    kept.ask("/f", true).keep(status("/f", 1), Duration.ZERO);
    assertThat(length()).isEqualTo(-1);
  }

  @Test
  void whatIsDroppedIsGoneAndSoIsAnAnswerThatTheDropHasOvertaken() {
    keep(kept.ask("/f", false), 1);
    var before = kept.ask("/f", false);
    var opening = kept.ask("/f", true);
    kept.drop();
    assertThat(length()).isEqualTo(-1);
    keep(before, 1);
    keep(opening, 1);
    assertThat(length()).isEqualTo(-1);
    keep(kept.ask("/f", false), 2);
    assertThat(length()).isEqualTo(2);
  }

  @Test
  void afterAnOpeningNothingOlderIsGiven() {
    keep(kept.ask("/f", false), 1);
    var before = kept.ask("/f", false);
    var opening = kept.ask("/f", true);
    pass(1);
    var meanwhile = kept.ask("/f", false);
    keep(meanwhile, 1);
    keep(opening, 2);
    assertThat(length()).isEqualTo(2);
    keep(before, 1);
    keep(meanwhile, 1);
    assertThat(length()).isEqualTo(2);
  }

  @Test
  void anOpeningThatTakesLongTakesAwayWhatWasThere() {
    var opening = kept.ask("/f", true);
    pass(400);
    keep(kept.ask("/f", false), 1);
    pass(200);
    keep(opening, 2);
    assertThat(length()).as("the opening's lease is over").isEqualTo(-1);
    keep(kept.ask("/f", false), 2);
    assertThat(length()).isEqualTo(2);
  }

  @Test
  void anOpeningThatFailsTakesEverythingAwayAndAnotherQuestionNothing() {
    keep(kept.ask("/f", false), 1);
    kept.ask("/g", false).fail();
    assertThat(length()).isEqualTo(1);
    var crossing = kept.ask("/f", false);
    kept.ask("/f", true).fail();
    keep(crossing, 1);
    assertThat(length()).isEqualTo(-1);
  }

  @Test
  void ofTwoOfAKindTheLaterQuestionsAnswerStays() {
    for (boolean opening : new boolean[] {false, true}) {
      var first = kept.ask("/f", opening);
      pass(1);
      var second = kept.ask("/f", opening);
      keep(second, 2);
      keep(first, 1);
      assertThat(length()).isEqualTo(2);
      pass(1);
      keep(kept.ask("/f", opening), 3);
      assertThat(length()).isEqualTo(3);
    }
  }

  @Test
  void ofTooManyNoneStaysAndTheNextAreKeptAgain() {
    for (int i = 0; i < KeptStatuses.MOST; i++) {
      kept.ask("/" + i, false).keep(status("/" + i, i), LEASE);
    }
    assertThat(kept.get("/0")).isNotNull();
    var crossing = kept.ask("/f", false);
    keep(kept.ask("/f", false), 1);
    assertThat(kept.get("/0")).isNull();
    keep(crossing, 1);
    assertThat(length()).isEqualTo(-1);
    keep(kept.ask("/f", false), 2);
    assertThat(length()).isEqualTo(2);
  }
}
