package io.eley.controller.predict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** One application with a phase of 10 s every 30 s, and forecasts that are made right or wrong. */
class RhythmTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long PERIOD = 30 * SECOND;
  private static final long LENGTH = 10 * SECOND;

  private final Rhythm rhythm = rhythm();
  private long next;

  private static Rhythm rhythm() {
    return new Rhythm("ior", PredictionOptions.DEFAULT, new Rhythm.Past());
  }

  private Optional<Rhythm.Outcome> phase(Rhythm of) {
    return phase(of, LENGTH);
  }

  private Optional<Rhythm.Outcome> phase(Rhythm of, long length) {
    of.opened(next, next);
    Optional<Rhythm.Outcome> outcome = of.closed(next + length, next + length);
    next += PERIOD;
    return outcome;
  }

  /** So many phases that a forecast is there, which nothing has been scored of. */
  private void settle() {
    for (int i = 0; i < 4; i++) {
      assertThat(rhythm.forecast()).isEmpty();
      assertThat(phase(rhythm)).isEmpty();
    }
    assertThat(rhythm.forecast()).isPresent();
  }

  /** The forecast comes true, or is given up before its phase comes after all. */
  private void score(boolean... right) {
    for (boolean each : right) {
      if (each) {
        assertThat(phase(rhythm)).contains(Rhythm.Outcome.HIT);
      } else {
        assertThat(rhythm.overdue(next + PERIOD)).contains(Rhythm.Outcome.ABSENT);
        assertThat(rhythm.overdue(next + PERIOD)).as("once").isEmpty();
        assertThat(phase(rhythm)).isEmpty();
      }
    }
  }

  private boolean demoted() {
    long onset = next;
    assertThat(rhythm.expected(onset).isPresent()).isEqualTo(rhythm.forecast().isPresent());
    return rhythm.forecast().isEmpty();
  }

  @Test
  void threeErrorsAreTooFewToDemoteAndFourAreEnough() {
    settle();
    score(false, false, false);
    assertThat(demoted()).isFalse();
    score(false);
    assertThat(demoted()).isTrue();
  }

  @Test
  void forecastsThatCostLittleAreWorthItWithFewHits() {
    settle();
    score(true, false, false, false, true, false, false, false);
    assertThat(demoted()).as("2 of 8, for 0.1 s of 20 s each time").isFalse();
    score(false, false, false, false);
    assertThat(demoted()).as("1 of 8").isFalse();
    score(false);
    assertThat(demoted()).as("0 of 8").isTrue();
  }

  @Test
  void aDemotedRhythmGoesOnBeingScoredAndComesBack() {
    settle();
    score(false, false, false, false);
    assertThat(demoted()).isTrue();
    score(true);
    assertThat(demoted()).as("1 of the last 5").isTrue();
    score(true);
    assertThat(demoted()).as("2 of the last 6").isFalse();
  }

  @Test
  void onlyTheLastEightForecastsCount() {
    settle();
    score(true, true, true, true, true, true, true, true, true, true, true, true);
    score(false, false, false, false, false, false, false);
    assertThat(demoted()).as("1 of the last 8").isFalse();
    score(false);
    assertThat(demoted()).as("none of the last 8").isTrue();
  }

  /** Pauses of 3 to 20 s, so that holds take a large part of them. */
  @Test
  void forecastsThatCostMoreThanTheySpareAreNotActedUpon() {
    var random = new Random(3);
    long held = 0;
    long pauses = 0;
    for (int i = 0; i < 200; i++) {
      long from = next;
      long pause = (long) ((3 + 17 * random.nextDouble()) * SECOND);
      for (long at = from; at < from + pause; at += SECOND / 20) {
        var unused = rhythm.overdue(at);
        held += rhythm.expected(at).isPresent() ? SECOND / 20 : 0;
      }
      pauses += pause;
      next = from + pause;
      phase(rhythm, 2 * SECOND);
      next += 2 * SECOND - PERIOD;
    }
    assertThat((double) held / pauses).isLessThan(0.25);
  }

  @Test
  void aPhaseOfNoLengthIsAsIfItHadNotBeen() {
    settle();
    Forecast before = rhythm.forecast().orElseThrow();
    long at = before.guardFrom() - SECOND;
    rhythm.opened(at, at);
    assertThat(rhythm.closed(at + 99_999_999, at + 99_999_999)).isEmpty();
    assertThat(rhythm.forecast()).contains(before);
    assertThat(phase(rhythm)).contains(Rhythm.Outcome.HIT);
    rhythm.opened(next, next);
    assertThat(rhythm.closed(next + 100_000_000, next + 100_000_000)).isPresent();
  }

  @Test
  void aPhaseThatIsWithdrawnTeachesNothing() {
    settle();
    rhythm.opened(next, next);
    rhythm.withdraw();
    assertThat(rhythm.forecast()).isEmpty();
    assertThat(rhythm.closed(next + LENGTH, next + LENGTH)).isEmpty();
  }

  @Test
  void aPhaseBeforeItsGuardIsEarlyAndOneFromThenOnAHit() {
    for (long offset : new long[] {-1, 0}) {
      var fresh = rhythm();
      next = 0;
      for (int i = 0; i < 5; i++) {
        phase(fresh);
      }
      Forecast forecast = fresh.forecast().orElseThrow();
      fresh.opened(forecast.guardFrom() + offset, forecast.onset());
      assertThat(fresh.forecast()).as("it has come").isEmpty();
      assertThat(fresh.closed(forecast.onset() + LENGTH, forecast.onset() + LENGTH))
          .contains(offset < 0 ? Rhythm.Outcome.EARLY : Rhythm.Outcome.HIT);
    }
  }

  @Test
  void aForecastIsOverdueBehindItsLastMomentAndNotAtIt() {
    settle();
    long last = rhythm.forecast().orElseThrow().lateUntil();
    assertThat(rhythm.overdue(last)).isEmpty();
    assertThat(rhythm.expected(last)).isPresent();
    assertThat(rhythm.expected(last + 1)).isEmpty();
    assertThat(rhythm.overdue(last + 1)).contains(Rhythm.Outcome.ABSENT);
  }
}
