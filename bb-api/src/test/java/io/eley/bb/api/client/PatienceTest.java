package io.eley.bb.api.client;

import static io.eley.bb.api.client.Failures.failsWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PatienceTest {
  private static final Duration SILENCE = Duration.ofMillis(300);
  private static final Duration CONNECT = Duration.ofMillis(800);
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);
  private final Patience patience = new Patience(CONNECT.plus(SILENCE), SILENCE, now::get);

  @Test
  void attemptsThatFailShareWhatMayBeLost() {
    failing(600);
    assertThat(patience.spent()).isFalse();
    failing(300);
    assertThat(patience.spent()).as("200 ms are left, too little for another one").isTrue();
    failsWith(ErrorCode.UNAVAILABLE, () -> patience.attempt(() -> "never run"))
        .hasMessageContaining("too much time");
  }

  @Test
  void anAttemptThatEndsWellCostsNothingHoweverLongItTakes() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertThat(
              patience.attempt(
                  () -> {
                    pass(60_000);
                    return "held by a phase";
                  }))
          .isEqualTo("held by a phase");
    }
    assertThat(patience.within(CONNECT)).isEqualTo(CONNECT);
    assertThat(patience.silence(SILENCE)).isEqualTo(SILENCE);
  }

  @Test
  void theStepsOfAnAttemptFitIntoWhatIsLeftOfIt() throws Exception {
    failing(500);
    patience.attempt(
        () -> {
          assertThat(patience.within(CONNECT)).as("dialling").isEqualTo(Duration.ofMillis(600));
          pass(200);
          assertThat(patience.silence(SILENCE))
              .as("a silence before and after the question")
              .isEqualTo(Duration.ofMillis(200));
          pass(400);
          assertThat(patience.within(CONNECT)).as("late").isEqualTo(Duration.ofMillis(1));
          return "";
        });
  }

  @Test
  void aPauseBetweenTwoTriesIsLostToo() throws Exception {
    var backoff = new Backoff(() -> now.addAndGet(10_000_000), () -> 0);
    for (int i = 0; i < 5; i++) {
      backoff.noteFailure();
    }
    patience.pause(backoff);
    assertThat(patience.spent()).as("after a pause of 800 ms").isFalse();
    failing(10);
    assertThat(patience.spent()).isTrue();
  }

  private void failing(long millis) {
    failsWith(
        ErrorCode.DEADLINE,
        () ->
            patience.attempt(
                () -> {
                  pass(millis);
                  throw new EleyException(ErrorCode.DEADLINE, "silent");
                }));
  }

  private void pass(long millis) {
    now.addAndGet(millis * 1_000_000);
  }
}
