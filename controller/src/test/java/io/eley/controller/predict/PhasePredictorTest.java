package io.eley.controller.predict;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.PhaseListener.Ending;
import io.eley.prefetcher.control.PhaseEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Applications whose phases are known to the test, on virtual time. */
@Tag("slow")
class PhasePredictorTest {
  private static final long MS = 1_000_000;
  private static final long STEP = 20 * MS;

  private final PhasePredictor predictor = new PhasePredictor(PredictionOptions.DEFAULT);
  private long now;

  /** What holding for forecasts was good for. */
  private static final class Score {
    int phases;
    int closedBefore;
    long held;
    long time;
  }

  private Score run(String name, int phases, double pause, double length, double jitter, Random r) {
    var score = new Score();
    for (int i = 0; i < phases; i++) {
      long until = now + (long) (pause * 1e9 * (1 + jitter * (2 * r.nextDouble() - 1)));
      boolean counts = predictor.forecast(name).isPresent();
      boolean held = false;
      for (; now < until; now += STEP) {
        held = predictor.expected(now).isPresent();
        score.held += held ? STEP : 0;
        score.time += STEP;
      }
      var phase = new Evidence(name, "announced", now, 1);
      score.phases += counts ? 1 : 0;
      score.closedBefore += counts && held ? 1 : 0;
      predictor.opened(phase);
      long took = (long) (length * 1e9 * (1 + jitter / 4 * (2 * r.nextDouble() - 1)));
      now += took;
      score.time += took;
      predictor.closed(phase, now, Ending.ANNOUNCED);
    }
    return score;
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.02, 0.05, 0.1})
  void periodicPhasesAreForeseen(double jitter) {
    long seed = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed of the phases (-Deley.test.seed=...): " + seed);
    int phases = 0;
    int closed = 0;
    long held = 0;
    long time = 0;
    for (int i = 0; i < 20; i++) {
      // The paper's pause of 20 s, and phases as long as its experiment 2 has them.
      var score = run("ior#" + i, 60, 20, 35, jitter, new Random(seed + i));
      phases += score.phases;
      closed += score.closedBefore;
      held += score.held;
      time += score.time;
    }
    System.out.printf(
        Locale.ROOT,
        "jitter %.0f %%: closed before %.1f %% of %d forecast phases, held without need %.2f %%%n",
        100 * jitter,
        100.0 * closed / phases,
        phases,
        100.0 * held / time);
    assertThat((double) closed / phases).isGreaterThanOrEqualTo(0.95);
    assertThat((double) held / time).isLessThan(0.05);
  }

  @Test
  void nothingIsSaidWithoutEnoughEvidence() {
    var score = run("ior", 3, 10, 5, 0, new Random(1));
    assertThat(score.held).isZero();
    assertThat(predictor.forecasts()).isEmpty();
    assertThat(predictor.duty(now)).isZero();
    run("ior", 1, 10, 5, 0, new Random(1));
    assertThat(predictor.forecasts()).hasSize(1);
    assertThat(predictor.duty(now)).isBetween(0.3, 0.35);
    assertThat(predictor.duty(now + 60_000 * MS)).as("it has gone").isZero();
  }

  @Test
  void randomPhasesAreNotHeldFor() {
    var random = new Random(3);
    long held = 0;
    long time = 0;
    for (int i = 0; i < 200; i++) {
      var score = run("chaos", 1, -20 * Math.log(1 - random.nextDouble()), 5, 0, random);
      held += score.held;
      time += score.time;
    }
    assertThat((double) held / time).as("no rhythm, no holding").isLessThan(0.05);
  }

  @Test
  void aRhythmThatErrsIsDemotedAndComesBackWhenItIsRight() {
    run("ior", 10, 10, 2, 0, new Random(1));
    assertThat(predictor.forecast("ior")).isPresent();
    var random = new Random(9);
    for (int i = 0; i < 8; i++) {
      run(
          "ior",
          1,
          i % 2 == 0 ? 3 + 4 * random.nextDouble() : 20 + 40 * random.nextDouble(),
          2,
          0,
          random);
    }
    assertThat(predictor.forecast("ior")).as("demoted").isEmpty();
    assertThat(predictor.scores().early() + predictor.scores().absent()).isPositive();
    run("ior", 60, 10, 2, 0, new Random(1));
    assertThat(predictor.forecast("ior")).as("right again").isPresent();
  }

  @Test
  void burstsThatRepeatInGroupsAreForeseen() {
    int foreseen = 0;
    for (int group = 0; group < 12; group++) {
      for (double pause : new double[] {3, 5, 20}) {
        var score = run("groups", 1, pause, 1, 0, new Random(1));
        foreseen += group >= 6 ? score.closedBefore : 0;
      }
    }
    assertThat(foreseen).as("of 18").isGreaterThanOrEqualTo(17);
  }

  @Test
  void aPhaseThatDoesNotComeIsNotWaitedForForEver() {
    run("ior", 10, 10, 5, 0.05, new Random(1));
    long held = 0;
    for (long end = now + 120_000 * MS; now < end; now += STEP) {
      held += predictor.expected(now).isPresent() ? STEP : 0;
    }
    assertThat(held).isPositive().isLessThan(3_000 * MS);
    assertThat(predictor.scores().absent()).isEqualTo(1);
    assertThat(predictor.forecasts()).isEmpty();
  }

  @Test
  void whatABoardForecastsHoldsNoLongerThanWeWereFreeSinceOurStart() {
    long start = 3_600_000 * MS;
    predictor.tell(List.of(new Forecast("x", start - MS, start, start + 100_000 * MS, MS, 1)));
    long held = 0;
    for (now = start; now < start + 100_000 * MS; now += STEP) {
      boolean hold = predictor.expected(now).isPresent();
      assertThat(hold && now - start < 50_000 * MS).as("as long as it was free").isFalse();
      held += hold ? STEP : 0;
    }
    assertThat(held).isBetween(49_000 * MS, 50_000 * MS + STEP);
  }

  @Test
  void aSecondRunBenefitsFromTheFirst() {
    var entries = new ArrayList<PhaseEntry>();
    for (int i = 0; i < 6; i++) {
      entries.add(entry("ior@alice#1", 30L * i, 10));
    }
    predictor.learn(entries);
    var score = run("ior@alice#2", 3, 20, 10, 0, new Random(1));
    assertThat(score.phases).as("from its first phase on").isEqualTo(2);
    assertThat(score.closedBefore).isEqualTo(2);
    assertThat(run("other@alice#3", 3, 20, 10, 0, new Random(1)).phases).isZero();
  }

  private static PhaseEntry entry(String application, long began, long seconds) {
    return new PhaseEntry(
        application,
        "slurm",
        Instant.ofEpochSecond(began),
        Duration.ofSeconds(seconds),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        new PhaseEntry.Hold(1, 1, false, Optional.empty()),
        Map.of(),
        0,
        "full-delay",
        "full delay",
        PhaseEntry.Observed.exactly("QUIET"));
  }
}
