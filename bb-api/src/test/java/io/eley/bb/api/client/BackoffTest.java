package io.eley.bb.api.client;

import static io.eley.bb.api.client.Failures.failsWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.Seed;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private static final long MILLI = 1_000_000;
  private final AtomicLong now = new AtomicLong(5);
  private final AtomicReference<Double> chance = new AtomicReference<>(0.0);
  private final Backoff backoff = new Backoff(now::get, chance::get);

  @Test
  void withoutAFailureATryAlwaysMakesSense() {
    assertThat(backoff.ready()).isTrue();
    backoff.noteSuccess();
    assertThat(backoff.ready()).isTrue();
  }

  @Test
  void aPauseIsShortenedByUpToHalf() {
    chance.set(1.0);
    backoff.noteFailure();
    assertThat(pause()).isEqualTo(25 * MILLI);
    chance.set(0.5);
    backoff.noteFailure();
    assertThat(pause()).isEqualTo(75 * MILLI);
  }

  @Test
  void aConnectionThatTimesOutIsSilenceAndOneThatIsRefusedIsNot() {
    backoff.noteFailure(new EleyException(ErrorCode.UNAVAILABLE, "refused"));
    assertThat(pause()).isEqualTo(50 * MILLI);
    backoff.noteSuccess();
    backoff.noteFailure(
        new EleyException(ErrorCode.UNAVAILABLE, "no answer", new SocketTimeoutException()));
    assertThat(pause()).isEqualTo(1000 * MILLI);
  }

  @Test
  void anInterruptedTryIsNoFailure() {
    backoff.noteFailure(new EleyException(ErrorCode.INTERRUPTED, "interrupted: connect"));
    assertThat(backoff.suspect()).isFalse();
    assertThat(backoff.ready()).isTrue();
  }

  @Test
  void theOneTryThatWasInterruptedIsLeftToTheNextCaller() {
    backoff.noteFailure();
    var interrupted = new EleyException(ErrorCode.INTERRUPTED, "interrupted: connect");
    backoff.noteFailure(interrupted);
    assertThat(pause()).as("without a try the pause is as it was").isEqualTo(50 * MILLI);
    assertThat(backoff.admit()).isTrue();
    assertThat(backoff.admit()).isFalse();
    backoff.noteFailure(interrupted);
    assertThat(backoff.suspect()).isTrue();
    assertThat(backoff.admit()).isTrue();
    assertThat(backoff.admit()).isFalse();
    backoff.noteFailure();
    assertThat(pause()).as("as after two failures").isEqualTo(100 * MILLI);
  }

  @Test
  void anInterruptEndsTheWaitBetweenTwoTries() {
    backoff.noteFailure();
    Thread.currentThread().interrupt();
    failsWith(ErrorCode.INTERRUPTED, backoff::await);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void afterASuccessTheFirstPauseIsShortAgain() {
    for (int i = 0; i < 6; i++) {
      backoff.noteFailure();
    }
    assertThat(pause()).isEqualTo(1600 * MILLI);
    backoff.noteSuccess();
    assertThat(backoff.ready()).isTrue();
    backoff.noteFailure();
    assertThat(pause()).isEqualTo(50 * MILLI);
  }

  @Test
  void howeverOftenItFailsTheNextTryIsWithinTwoSecondsAndHalfAWayOff() {
    var random = Seed.random("the pauses");
    for (int failures = 1; failures <= 100; failures++) {
      chance.set(random.nextDouble());
      backoff.noteFailure();
      long longest = failures > 6 ? 2000 * MILLI : ((50 * MILLI) << (failures - 1));
      assertThat(pause()).as("failure %s", failures).isBetween(longest / 2, longest);
    }
  }

  @Test
  void aClockThatWrapsIsAClockLikeOthers() {
    now.set(Long.MAX_VALUE - 10);
    backoff.noteFailure();
    assertThat(backoff.ready()).isFalse();
    assertThat(pause()).isEqualTo(50 * MILLI);
    assertThat(now.get()).isNegative();
  }

  @Test
  void afterSilenceOneTryIsAdmittedAtATimeAndLaterThanAfterARefusal() {
    assertThat(backoff.noteSilence()).isEqualTo(1);
    assertThat(backoff.noteSilence()).as("others who notice the same").isEqualTo(1);
    assertThat(backoff.admit()).isFalse();
    now.addAndGet(1000 * MILLI);
    assertThat(backoff.admit()).isTrue();
    assertThat(backoff.admit()).as("a second try at once").isFalse();
    assertThat(backoff.noteSilence()).isEqualTo(2);
    assertThat(pause()).isEqualTo(2000 * MILLI);
    assertThat(backoff.admit()).isTrue();
    backoff.noteSuccess();
    assertThat(backoff.suspect()).isFalse();
    assertThat(backoff.admit()).isTrue();
    assertThat(backoff.admit()).isTrue();
  }

  @Test
  void silenceIsNotRememberedForLongerThanHalfAMinute() {
    for (int i = 0; i < 20; i++) {
      backoff.noteSilence();
      now.addAndGet(30_000 * MILLI);
      assertThat(backoff.admit()).as("try %s", i).isTrue();
    }
  }

  /** Goes on to the moment when a try makes sense again, by halving; says how far that was. */
  private long pause() {
    long began = now.get();
    long tooSoon = 0;
    long enough = 3000 * MILLI;
    while (enough - tooSoon > 1) {
      long middle = (tooSoon + enough) / 2;
      now.set(began + middle);
      if (backoff.ready()) {
        enough = middle;
      } else {
        tooSoon = middle;
      }
    }
    now.set(began + enough);
    return enough;
  }
}
