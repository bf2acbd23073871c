package io.eley.prefetcher.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eley.prefetcher.Seed;
import io.eley.prefetcher.control.InterferenceModel.Covariance;
import org.junit.jupiter.api.Test;

class InterferenceModelTest {
  private static final Covariance COVARIANCE = InterferenceModel.UNKNOWN.covariance();
  private static final InterferenceModel MODEL = model(0.02);

  private static InterferenceModel model(double error) {
    return new InterferenceModel(100e6, 1, 0.2, COVARIANCE, error, 10);
  }

  @Test
  void aPhaseThatNeedsLessThanWeLeaveSuffersByOurShareAlone() {
    assertThat(MODEL.slowdown(50e6, 50e6)).isCloseTo(0.1, within(1e-12));
    assertThat(MODEL.slowdown(0, 10e6)).isCloseTo(0.02, within(1e-12));
    assertThat(MODEL.slowdown(80e6, -1)).isZero();
  }

  @Test
  void aPhaseNeedsNoMoreThanThereIsAndIsAlwaysLeftATenth() {
    assertThat(MODEL.slowdown(500e6, 20e6)).isEqualTo(MODEL.slowdown(100e6, 20e6));
    assertThat(MODEL.slowdown(50e6, 90e6)).isCloseTo(5 - 1 + 0.18, within(1e-9));
    assertThat(MODEL.slowdown(50e6, 99e6)).isCloseTo(5 - 1 + 0.198, within(1e-9));
    assertThat(MODEL.slowdown(50e6, 1000e6)).isCloseTo(5 - 1 + 2, within(1e-9));
  }

  @Test
  void theLargestRateIsTheLargestOneWhoseSlowdownIsWithinBoundAndMargin() {
    var random = Seed.random("the origins");
    int limited = 0;
    for (int i = 0; i < 5000; i++) {
      double capacity = 1e6 * (1 + random.nextInt(1000));
      var model =
          new InterferenceModel(
              capacity,
              3 * random.nextDouble(),
              random.nextDouble(),
              COVARIANCE,
              random.nextDouble() / 5,
              3);
      double foreign = capacity * 1.3 * random.nextDouble();
      double bound = random.nextDouble() / 2;
      double rate = model.largestRate(foreign, bound);
      double target = bound - Math.min(model.error(), bound / 2);
      assertThat(model.slowdown(foreign, rate)).isLessThanOrEqualTo(target);
      assertThat(rate).isBetween(0.0, 0.9 * capacity);
      if (rate < 0.9 * capacity) {
        limited++;
        assertThat(model.slowdown(foreign, rate + 1e-6 * capacity)).isGreaterThan(target);
      }
    }
    assertThat(limited).isGreaterThan(1000);
  }

  @Test
  void aMarginIsNeverMoreThanHalfOfTheBound() {
    // b alone counts: 0.2 r / C is at most 0.05, so r at most a quarter of C.
    assertThat(model(0).largestRate(0, 0.05)).isCloseTo(25e6, within(1.0));
    assertThat(model(0.01).largestRate(0, 0.05)).isCloseTo(20e6, within(1.0));
    assertThat(model(0.5).largestRate(0, 0.05)).isCloseTo(12.5e6, within(1.0));
  }

  @Test
  void withoutABoundOrACapacityThereIsNoRate() {
    assertThat(MODEL.largestRate(50e6, 0)).isZero();
    assertThat(MODEL.largestRate(50e6, -0.1)).isZero();
    assertThat(InterferenceModel.UNKNOWN.largestRate(50e6, 10)).isZero();
    assertThat(MODEL.largestRate(0, 10)).as("a tenth is left to others").isEqualTo(90e6);
  }

  @Test
  void theCapacityIsTheMostThatWasSeenAndIsForgottenByHalfInSome700Observations() {
    var model = InterferenceModel.UNKNOWN.withTraffic(100e6).withTraffic(80e6);
    assertThat(model.capacity()).isCloseTo(99.9e6, within(1.0));
    assertThat(model.withTraffic(120e6).capacity()).isEqualTo(120e6);
    int observations = 0;
    while (model.capacity() > 50e6) {
      model = model.withTraffic(1e6);
      observations++;
    }
    assertThat(observations).isBetween(650, 750);
    assertThat(model.observations()).as("phases").isZero();
  }

  @Test
  void withoutACapacityNothingIsLearnedFromAPhase() {
    assertThat(InterferenceModel.UNKNOWN.withPhase(50e6, 10e6, 0.3))
        .isEqualTo(InterferenceModel.UNKNOWN);
  }

  @Test
  void theErrorIsTheRunningMeanOfWhatWasWrongBeforeItWasLearned() {
    double expected = MODEL.slowdown(80e6, 30e6);
    var worse = MODEL.withPhase(80e6, 30e6, expected + 0.1);
    assertThat(worse.error()).isCloseTo(0.8 * 0.02 + 0.2 * 0.1, within(1e-9));
    var less = MODEL.withPhase(80e6, 30e6, expected - 0.1);
    assertThat(less.error()).isCloseTo(worse.error(), within(1e-9));
    assertThat(worse.slowdown(80e6, 30e6)).isGreaterThan(expected);
    assertThat(less.slowdown(80e6, 30e6)).isLessThan(expected);
    assertThat(worse.observations()).isEqualTo(11);
    assertThat(worse.capacity()).isEqualTo(MODEL.capacity());
  }

  /** One step by hand: x = 0.8 / 0.7 - 1 = 1/7, y = 0.3. */
  @Test
  void onePhaseMovesTheWeightsAsAKalmanFilterDoes() {
    double x = 1.0 / 7;
    double y = 0.3;
    double paa = 0.25 + 1e-5;
    double pbb = 0.04 + 1e-5;
    double wrong = 0.5 - (x + 0.2 * y);
    double variance = x * x * paa + y * y * pbb + 0.0004;
    var model = MODEL.withPhase(80e6, 30e6, 0.5);
    assertThat(model.a()).isCloseTo(1 + paa * x / variance * wrong, within(1e-9));
    assertThat(model.b()).isCloseTo(0.2 + pbb * y / variance * wrong, within(1e-9));
    assertThat(model.covariance().aa())
        .isCloseTo(paa - paa * x * paa * x / variance, within(1e-12));
    assertThat(model.covariance().bb())
        .isCloseTo(pbb - pbb * y * pbb * y / variance, within(1e-12));
    assertThat(model.covariance().ab()).isCloseTo(-paa * x * pbb * y / variance, within(1e-12));
    // A second step uses the covariance of both.
    double ab = model.covariance().ab();
    double aa = model.covariance().aa() + 1e-5;
    double bb = model.covariance().bb() + 1e-5;
    double gainA = aa * x + ab * y;
    double gainB = ab * x + bb * y;
    double second = x * gainA + y * gainB + 0.0004;
    double off = 0.5 - (model.a() * x + model.b() * y);
    var next = model.withPhase(80e6, 30e6, 0.5);
    assertThat(next.a()).isCloseTo(model.a() + gainA / second * off, within(1e-9));
    assertThat(next.b()).isCloseTo(model.b() + gainB / second * off, within(1e-9));
    assertThat(next.covariance().ab()).isCloseTo(ab - gainA * gainB / second, within(1e-12));
  }

  @Test
  void weightsAreNeitherNegativeNorBeyondAllReason() {
    var model = MODEL;
    for (int i = 0; i < 50; i++) {
      model = model.withPhase(80e6, 30e6, -5);
    }
    assertThat(model.a()).isZero();
    assertThat(model.b()).isZero();
    for (int i = 0; i < 50; i++) {
      model = model.withPhase(80e6, 30e6, 1000);
    }
    assertThat(model.a()).isEqualTo(20);
  }
}
