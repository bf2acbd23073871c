package io.eley.laboratory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EstimateTest {
  private static final PlannedStep TEN = new PlannedStep("a", 10);

  @Test
  void whatHasEndedSaysHowLongItsLikeTakes() {
    var estimate = new Estimate(List.of(TEN, TEN, TEN), 0);
    estimate.next(0);
    estimate.next(20);

    var shown = estimate.at(30);

    assertThat(shown.part()).isCloseTo(0.5, within(1e-9));
    assertThat(shown.secondsLeft()).isCloseTo(30, within(1e-9));
    assertThat(shown.late()).isFalse();
  }

  @Test
  void otherKindsFollowThePaceOfThoseThatEnded() {
    var estimate = new Estimate(List.of(TEN, new PlannedStep("b", 30)), 0);
    estimate.next(0);
    estimate.next(5);

    // 5 s instead of 10 s, and a quarter of the 40 s as thought: three quarters of 30 s.
    assertThat(estimate.at(5).secondsLeft()).isCloseTo(22.5, within(0.01));
  }

  @Test
  void theRestOfAStepShrinksWithTheRestOfItsWork() {
    var estimate = new Estimate(List.of(new PlannedStep("a", 40)), 0);
    estimate.next(0);
    estimate.advanced(0.001, 20);
    assertThat(estimate.at(20).secondsLeft()).isCloseTo(22, within(0.1));
    estimate.advanced(0.75, 30);
    assertThat(estimate.at(30).secondsLeft()).isCloseTo(7, within(0.1));
    assertThat(estimate.at(200).secondsLeft()).as("no work, no end").isCloseTo(7, within(0.1));
  }

  @Test
  void aStepThatTakesLongerThanThoughtSaysSoAndMovesOn() {
    var estimate = new Estimate(List.of(TEN), 0);
    estimate.next(0);
    assertThat(estimate.at(9).late()).isFalse();
    double before = estimate.at(30).part();
    assertThat(estimate.at(31).late()).isTrue();
    assertThat(estimate.at(31).part()).isGreaterThan(before).isLessThan(1);
  }

  @Test
  void withoutAPlanNothingIsClaimed() {
    var estimate = new Estimate(List.of(), 5);
    assertThat(estimate.at(5)).isEqualTo(new Estimate.Shown(0, 0, false));
    estimate.next(6);
    assertThat(estimate.at(7).secondsLeft()).isZero();
  }

  @Test
  void whateverHappensItNeverGoesBackNorStandsStillNorEndsEarly() {
    for (int seed = 0; seed < 500; seed++) {
      var random = new Random(seed);
      var plan = new ArrayList<PlannedStep>();
      for (int i = 0; i < 1 + random.nextInt(8); i++) {
        plan.add(new PlannedStep("kind " + random.nextInt(3), 1 + random.nextInt(60)));
      }
      double now = 1000 * random.nextDouble();
      var estimate = new Estimate(plan, now);
      double before = 0;
      for (int i = 0; i < 200; i++) {
        if (random.nextInt(20) == 0) {
          estimate.next(now);
        }
        if (random.nextInt(4) == 0) {
          estimate.advanced(random.nextDouble() * 1.2 - 0.1, now);
        }
        now += 0.05 + 5 * random.nextDouble();
        var shown = estimate.at(now);
        assertThat(shown.part()).as("seed %s", seed).isBetween(before, 1.0).isLessThan(1);
        assertThat(before > 0.999999 || shown.part() > before).as("seed %s", seed).isTrue();
        assertThat(shown.secondsLeft()).isBetween(0.0, 8 * 5 * 1000.0);
        before = shown.part();
      }
    }
  }
}
