package io.eley.controller.predict;

import static io.eley.controller.predict.Played.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.eley.controller.predict.Played.Outcome;
import io.eley.controller.predict.Played.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rhythms that change: how many phases are covered, and how much of the pauses is held. */
@Tag("slow")
class RegimesTest {
  private static final int RUNS = 10;

  private final long seed =
      Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));

  private PhasePredictor predictor = new PhasePredictor(PredictionOptions.DEFAULT);
  private Played played = new Played(predictor, "ior");

  private void begin() {
    predictor = new PhasePredictor(PredictionOptions.DEFAULT);
    played = new Played(predictor, "ior");
  }

  private static void print(String what, int covered, int phases, double held) {
    System.out.printf(
        java.util.Locale.ROOT,
        "%s: %d of %d covered, %.1f %% of the pauses held%n",
        what,
        covered,
        phases,
        100 * held);
  }

  @ParameterizedTest
  @CsvSource({"3, 0.02", "2, 0.02", "0.5, 0.02", "0.33, 0.02", "2, 0.05", "0.5, 0.05", "2, 0.1"})
  void anotherPauseIsKnownAfterTwoPeriods(double factor, double jitter) {
    int covered = 0;
    double held = 0;
    for (int i = 0; i < RUNS; i++) {
      begin();
      var random = new Random(seed + i);
      played.play(Played.sleeping(0, 20, 20, 5, jitter, random));
      held += played.play(sleeping(2, 20 * factor, 5, jitter, random)).heldPart() / RUNS;
      covered += played.play(sleeping(10, 20 * factor, 5, jitter, random)).covered();
    }
    print("pause × " + factor + ", jitter " + jitter, covered, 10 * RUNS, held);
    assertThat(covered).as("of 100, from the third on, seed %d", seed).isGreaterThanOrEqualTo(80);
    assertThat(held).as("of the first two pauses").isLessThan(0.2);
  }

  @ParameterizedTest
  @ValueSource(doubles = {2, 0.5})
  void oneStrayPauseDoesNotHideAnotherRegime(double factor) {
    int covered = 0;
    for (int i = 0; i < RUNS; i++) {
      begin();
      var random = new Random(seed + i);
      played.play(Played.sleeping(0, 8, 20, 5, 0.02, random));
      played.play(sleeping(1, 20 * factor, 5, 0.02, random));
      played.play(sleeping(11, 20, 5, 0.02, random));
      played.play(sleeping(2, 20 * factor, 5, 0.02, random));
      covered += played.play(sleeping(10, 20 * factor, 5, 0.02, random)).covered();
    }
    print("pause × " + factor + ", one of them before", covered, 10 * RUNS, 0);
    assertThat(covered).as("of 100, from the third on, seed %d", seed).isGreaterThanOrEqualTo(80);
  }

  private List<Phase> sleeping(int count, double pause, double length, double jitter, Random r) {
    return Played.sleeping(played.now(), count, pause, length, jitter, r);
  }

  @ParameterizedTest
  @ValueSource(doubles = {3, 2, 0.5})
  void anotherLengthIsKnownAfterTwoPeriods(double factor) {
    int sleeping = 0;
    int clocked = 0;
    for (int i = 0; i < RUNS; i++) {
      var random = new Random(seed + i);
      begin();
      played.play(Played.sleeping(0, 20, 50, 10, 0.01, random));
      played.play(sleeping(2, 50, 10 * factor, 0.01, random));
      sleeping += played.play(sleeping(10, 50, 10 * factor, 0.01, random)).covered();
      assertThat(predictor.forecast("ior").orElseThrow().lengthNanos() / 1e9)
          .isBetween(9.5 * factor, 10.5 * factor);
      begin();
      played.play(Played.clocked(0, 20, 60, 10, 0.01, random));
      played.play(Played.clocked(1200 * SECOND, 2, 60, 10 * factor, 0.01, random));
      var then = Played.clocked(1320 * SECOND, 10, 60, 10 * factor, 0.01, random);
      clocked += played.play(then).covered();
    }
    print("length × " + factor + ", sleeping", sleeping, 10 * RUNS, 0);
    print("length × " + factor + ", by a clock", clocked, 10 * RUNS, 0);
    assertThat(sleeping).as("of 100, seed %d", seed).isGreaterThanOrEqualTo(80);
    assertThat(clocked).as("of 100, seed %d", seed).isGreaterThanOrEqualTo(75);
  }

  @Test
  void anApplicationThatStopsIsHeldForOnce() {
    played.play(Played.sleeping(0, 20, 20, 5, 0.05, new Random(seed)));
    int before = predictor.scores().absent();
    assertThat(played.idle(600 * SECOND)).as("seed %d", seed).isBetween(1L, 5 * SECOND);
    assertThat(predictor.scores().absent()).isEqualTo(before + 1);
    assertThat(predictor.forecasts()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"47, 0, 0.5, 0.15", "71, 0, 0.5, 0.15", "47, 0.01, 0.3, 0.12"})
  void twoApplicationsUnderOneNameAreForeseenFromTheThirdPeriodOn(
      double period, double jitter, double least, double mostHeld) {
    int covered = 0;
    int phases = 0;
    double held = 0;
    for (int i = 0; i < RUNS; i++) {
      begin();
      var random = new Random(seed + i);
      long second = 600 * SECOND + (long) (30 * random.nextDouble() * SECOND);
      var both =
          Played.merged(
              Played.clocked(0, 60, 30, 3, jitter, random),
              Played.clocked(second, (int) (1200 / period), period, 4, jitter, random));
      long known = second + (long) (3.5 * period * SECOND);
      played.play(both.stream().filter(p -> p.begin() < known).toList());
      Outcome then = played.play(both.stream().filter(p -> p.begin() >= known).toList());
      covered += then.covered();
      phases += then.phases();
      held += then.heldPart() / RUNS;
    }
    print("every 30 s and every " + period + " s, jitter " + jitter, covered, phases, held);
    assertThat((double) covered / phases).as("seed %d", seed).isGreaterThanOrEqualTo(least);
    assertThat(held).as("seed %d", seed).isLessThan(mostHeld);
  }

  @ParameterizedTest
  @CsvSource({"0.1, 0.65", "0.3, 0.2"})
  void phasesThatAreMissedDoNotStopForecasts(double missed, double least) {
    int covered = 0;
    int phases = 0;
    double held = 0;
    for (int i = 0; i < RUNS; i++) {
      begin();
      var random = new Random(seed + i);
      var seen =
          Played.clocked(0, 80, 30, 8, 0.02, random).stream()
              .filter(p -> random.nextDouble() > missed)
              .toList();
      Outcome outcome = played.play(seen);
      covered += outcome.covered();
      phases += outcome.phases();
      held += outcome.heldPart() / RUNS;
    }
    print(100 * missed + " % missed", covered, phases, held);
    assertThat((double) covered / phases).as("seed %d", seed).isGreaterThanOrEqualTo(least);
    assertThat(held).as("seed %d", seed).isLessThan(0.1);
  }

  @Test
  void aRehearsalTeachesNothing() {
    int covered = 0;
    double held = 0;
    for (int i = 0; i < RUNS; i++) {
      begin();
      var random = new Random(seed + i);
      played.play(rehearsal());
      played.play(sleeping(4, 4, 2.5, 0.02, random));
      Outcome then = played.play(sleeping(10, 4, 2.5, 0.02, random));
      covered += then.covered();
      held += then.heldPart() / RUNS;
    }
    print("after a rehearsal", covered, 10 * RUNS, held);
    // Of 1,000 seeds the worst covered 98; one rhythm in a hundred is missed once.
    assertThat(covered).as("of 100, seed %d", seed).isGreaterThanOrEqualTo(95);
    assertThat(held).isLessThan(0.1);
  }

  private static List<Phase> rehearsal() {
    var rehearsal = new ArrayList<Phase>();
    for (int i = 0; i < 3; i++) {
      rehearsal.add(new Phase((2000 + 8 * i) * Played.MS, (2004 + 8 * i) * Played.MS));
    }
    return rehearsal;
  }

  @Test
  void aRehearsalAmidTheRhythmDoesNotTakeItsForecast() {
    played.play(Played.sleeping(0, 8, 20, 5, 0, new Random(seed)));
    Forecast before = predictor.forecast("ior").orElseThrow();
    long at = played.now() + SECOND;
    played.play(List.of(new Phase(at, at + 5 * Played.MS)));
    assertThat(predictor.forecast("ior")).contains(before);
    assertThat(predictor.scores().hits()).isEqualTo(4);
  }

  @Test
  void aNameThatIsUsedBySomethingElseIsLearnedAnew() {
    int covered = 0;
    double held = 0;
    for (int i = 0; i < RUNS; i++) {
      begin();
      var random = new Random(seed + i);
      played.play(Played.sleeping(0, 20, 20, 5, 0.02, random));
      var other = new Played(predictor, "ior#2", played.now());
      held += other.play(Played.sleeping(other.now(), 3, 75, 12, 0.02, random)).heldPart() / RUNS;
      covered += other.play(Played.sleeping(other.now(), 10, 75, 12, 0.02, random)).covered();
    }
    print("another under the same name", covered, 10 * RUNS, held);
    assertThat(held).as("held for what another did").isLessThan(0.03);
    // Of 1,000 seeds the worst covered 89; of a single rhythm's ten phases as few as four may be.
    assertThat(covered).as("of 100, seed %d", seed).isGreaterThanOrEqualTo(85);
  }
}
