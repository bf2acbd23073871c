package io.eley.controller.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
    Optional<Rhythm.Outcome> outcome = of.opened(next, next);
    of.closed(next + length);
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
  void halfOfTheForecastsWrongDemotesAndLessDoesNot() {
    settle();
    score(true, true, false);
    assertThat(demoted()).as("2 of 3").isFalse();
    score(true, false);
    assertThat(demoted()).as("3 of 5").isFalse();
    score(false);
    assertThat(demoted()).as("3 of 6").isTrue();
  }

  @Test
  void onlyTheLastEightForecastsCount() {
    settle();
    score(true, true, true, true, true, true, true, true, true, true, true, true);
    score(false, false, false);
    assertThat(demoted()).as("5 of the last 8").isFalse();
    score(false);
    assertThat(demoted()).as("4 of the last 8").isTrue();
  }

  @Test
  void aDemotedRhythmGoesOnBeingScoredAndComesBackWithSixOfEight() {
    settle();
    score(false, false, false, false);
    score(true, true, true, true, true);
    assertThat(demoted()).as("5 of the last 8").isTrue();
    score(true);
    assertThat(demoted()).as("6 of the last 8").isFalse();
  }

  @Test
  void fiveOfEightAreTooFewToComeBackHoweverLong() {
    settle();
    score(false, false, false, false, true, true, true, true, true);
    score(false, false, false, true, true, true, true);
    assertThat(demoted()).as("5 of the last 8, but it was demoted").isTrue();
    score(true);
    assertThat(demoted()).as("5 of the last 8 still").isTrue();
    score(true);
    assertThat(demoted()).as("6 of the last 8").isFalse();
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
      assertThat(fresh.opened(forecast.guardFrom() + offset, forecast.onset()))
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

  /** The begins are exactly periodic, so the confidence is the root of the similarity. */
  @Test
  void theConfidenceHasTheSimilarityOfTheLastCycles() {
    var random = new Random(5);
    var activity = new ActivitySeries();
    long end = 0;
    for (int i = 0; i < 10; i++) {
      long length = (2 + random.nextInt(20)) * SECOND;
      activity.add(next, next + length, (double) length);
      end = next + length;
      phase(rhythm, length);
    }
    double similarity =
        Periodicity.of(activity.bins(0, end, PERIOD / 32)).orElseThrow().confidence();
    assertThat(similarity).isLessThan(0.95);
    assertThat(rhythm.forecast().orElseThrow().confidence())
        .isCloseTo(Math.sqrt(similarity), within(1e-9));
  }

  @Test
  void cyclesAreComparedByTheirBytesWhereSomebodySeesThem() {
    var random = new Random(4);
    var noisy = rhythm();
    var clear = rhythm();
    for (int i = 0; i < 10; i++) {
      long begin = i * PERIOD;
      for (long at = begin; at < begin + PERIOD; at += SECOND) {
        noisy.addBytes(at, at + SECOND, random.nextInt(1_000_000));
        clear.addBytes(at, at + SECOND, at < begin + LENGTH ? 1_000_000 : 0);
      }
      next = begin;
      phase(noisy);
      next = begin;
      phase(clear);
    }
    assertThat(noisy.forecast()).as("its phases do not stand out of its bytes").isEmpty();
    assertThat(clear.forecast().orElseThrow().confidence()).isGreaterThan(0.8);
  }

  @Test
  void withFewerThanFourPhasesOfItsOwnRegularityAloneCounts() {
    var past = new Rhythm.Past();
    var first = new Rhythm("ior#1", PredictionOptions.DEFAULT, past);
    for (int i = 0; i < 6; i++) {
      phase(first);
    }
    var second = new Rhythm("ior#2", PredictionOptions.DEFAULT, past);
    for (int i = 0; i < 3; i++) {
      phase(second, (3 + 5 * i) * SECOND);
      assertThat(second.forecast().orElseThrow().confidence()).isEqualTo(1);
    }
    phase(second, 3 * SECOND);
    assertThat(second.forecast().orElseThrow().confidence()).isStrictlyBetween(0.5, 1.0);
  }
}
