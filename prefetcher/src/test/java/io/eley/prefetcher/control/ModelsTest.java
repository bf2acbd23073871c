package io.eley.prefetcher.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eley.bb.api.ReadCause;
import io.eley.prefetcher.control.Models.Moment;
import io.eley.prefetcher.control.Outlook.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ModelsTest {
  private static final long SECOND = 1_000_000_000L;
  private final Models models = new Models();

  private static Moment moment(double seconds, long ours, double foreign, Work work) {
    return new Moment((long) (seconds * SECOND), ours, foreign, 4, false, true, 1, work, 0);
  }

  private Outlook outlook() {
    return models.outlook(1, 1, Work.NONE, 0);
  }

  private void observe(Moment... moments) {
    for (Moment moment : moments) {
      models.observe(moment, 0);
    }
  }

  @Test
  void oneMomentSaysNothingOfRates() {
    observe(moment(0, 1000, 50, new Work(100, 0)));
    assertThat(outlook().interference()).isEqualTo(InterferenceModel.UNKNOWN);
    assertThat(outlook().performance()).isEqualTo(PerformanceModel.UNKNOWN);
  }

  @Test
  void momentsNearerThanMostOfASecondAreNotCompared() {
    observe(moment(0, 0, 0, Work.NONE), moment(0.89, 890, 0, Work.NONE));
    assertThat(outlook().interference().capacity()).isZero();
    observe(moment(0.9, 900, 0, Work.NONE));
    assertThat(outlook().interference().capacity()).isCloseTo(1000, within(1e-6));
    observe(moment(1.7, 99_900, 0, Work.NONE));
    assertThat(outlook().interference().capacity()).isCloseTo(1000, within(1e-6));
  }

  @Test
  void theCapacityIsWhatWeAndOthersMoveTogether() {
    observe(moment(0, 100, 7, Work.NONE), moment(2, 300, 50, Work.NONE));
    assertThat(outlook().interference().capacity()).isCloseTo(150, within(1e-9));
    observe(moment(3, 0, 400, Work.NONE));
    assertThat(outlook().interference().capacity())
        .as("a node that left takes its bytes along")
        .isCloseTo(400, within(1e-9));
  }

  @Test
  void anIdleNightForgetsNothingOfTheCapacity() {
    observe(moment(0, 0, 0, Work.NONE), moment(1, 1000, 0, Work.NONE));
    for (int second = 2; second < 10_000; second++) {
      observe(moment(second, 1000, 0, Work.NONE));
    }
    assertThat(outlook().interference().capacity()).isEqualTo(1000);
  }

  @Test
  void ratesOverADisturbanceMeanNothing() {
    observe(moment(0, 0, 0, Work.NONE));
    models.disturb();
    observe(moment(1, 1000, 0, Work.NONE));
    assertThat(outlook().interference().capacity()).isZero();
    observe(moment(2, 3000, 0, Work.NONE));
    assertThat(outlook().interference().capacity()).isCloseTo(2000, within(1e-9));
  }

  @Test
  void fetchingIsMeasuredWhereNothingLimitsIt() {
    for (int closed = 0; closed < 4; closed++) {
      var fresh = new Models();
      fresh.observe(
          new Moment(0, 0, 0, closed != 0 ? 4 : 0, false, closed != 1, 0, Work.NONE, 0), 0);
      fresh.observe(
          new Moment(SECOND, 500, 0, closed != 2 ? 4 : 0, false, closed != 3, 0, Work.NONE, 0), 0);
      assertThat(fresh.outlook(1, 1, Work.NONE, 0).performance().openRate()).isZero();
      assertThat(fresh.outlook(1, 1, Work.NONE, 0).interference().capacity()).isEqualTo(500);
    }
    observe(moment(0, 0, 0, Work.NONE), moment(1, 0, 0, Work.NONE));
    assertThat(outlook().performance().openRate()).isZero();
    observe(moment(2, 500, 0, Work.NONE));
    assertThat(outlook().performance().openRate()).isEqualTo(500);
  }

  @Test
  void tasksAreMeasuredWhileTheirWindowIsInRam() {
    var work = new Work(1000, 0);
    double[][] fills = {{0.94, 1}, {1, 0.94}};
    for (double[] fill : fills) {
      var fresh = new Models();
      fresh.observe(new Moment(0, 0, 0, 4, false, true, fill[0], work, 0), 0);
      fresh.observe(new Moment(SECOND, 0, 0, 4, false, true, fill[1], new Work(900, 0), 0), 0);
      assertThat(fresh.outlook(1, 1, Work.NONE, 0).performance().taskRate()).isZero();
    }
    models.observe(new Moment(0, 0, 0, 4, false, true, 0.95, work, 0), 0);
    models.observe(new Moment(2 * SECOND, 0, 0, 4, false, true, 0.95, new Work(900, 0), 0), 0);
    assertThat(outlook().performance().taskRate()).isEqualTo(50);
    models.observe(new Moment(3 * SECOND, 0, 0, 4, false, true, 1, new Work(5000, 0), 0), 0);
    assertThat(outlook().performance().taskRate()).as("new work is no progress").isEqualTo(50);
  }

  /** 100 bytes a second of each; predicted 3 s after the work began, 700 bytes before its end. */
  @Test
  void anEndIsPredictedWhenTheMapPhaseHasSettledAndHeldAgainstTheRealOne() {
    observe(moment(9, 0, 0, Work.NONE));
    for (int second = 10; second <= 19; second++) {
      observe(moment(second, 100L * (second - 9), 0, new Work(1000L - 100L * (second - 10), 0)));
    }
    assertThat(outlook().performance().predictions()).isZero();
    observe(moment(26, 1700, 0, Work.NONE));
    // Predicted at 12 s: 800 bytes take 8 s. It took 14.
    assertThat(outlook().performance().predictions()).isEqualTo(1);
    assertThat(outlook().performance().error()).isCloseTo(6.0 / 14, within(1e-9));
    observe(moment(27, 1700, 0, Work.NONE));
    assertThat(outlook().performance().predictions()).as("once").isEqualTo(1);
  }

  /** As of a cancelled job: what it leaves is gone at once, and no task has read it. */
  @Test
  void whatAStageThatEndsEarlyLeavesIsNotTakenForTheTasksSpeed() {
    observe(moment(9, 0, 0, Work.NONE));
    for (int second = 10; second <= 14; second++) {
      observe(moment(second, 100L * (second - 9), 0, new Work(1000L - 100L * (second - 10), 0)));
    }
    assertThat(outlook().performance().taskRate()).isCloseTo(100, within(1e-9));
    observe(new Moment(15 * SECOND, 600, 0, 4, false, true, 1, Work.NONE, 600));
    assertThat(outlook().performance().taskRate()).isCloseTo(100, within(1e-9));
    assertThat(outlook().performance().predictions()).isZero();
    for (int second = 16; second <= 20; second++) {
      var left = new Work(500 - 50L * (second - 16), 0);
      observe(new Moment(second * SECOND, 600, 0, 4, false, true, 1, left, 600));
    }
    observe(new Moment(26 * SECOND, 600, 0, 4, false, true, 1, Work.NONE, 600));
    assertThat(outlook().performance().predictions()).as("of the next one").isEqualTo(1);
  }

  @Test
  void withoutKnownRatesNothingIsPredicted() {
    for (int second = 0; second < 10; second++) {
      observe(moment(second, 0, 0, new Work(1000, 0)));
    }
    observe(moment(10, 0, 0, Work.NONE));
    assertThat(outlook().performance().predictions()).isZero();
  }

  @Test
  void aPhaseWithoutALengthTeachesNothing() {
    models.learn(entry(0, Optional.of(10.0), Optional.of(50e6), 100));
    assertThat(outlook().interference()).isEqualTo(InterferenceModel.UNKNOWN);
  }

  @Test
  void aPhaseWhoseLengthAloneIsUnknownTellsTheCapacityAlone() {
    models.learn(entry(10, Optional.empty(), Optional.of(50e6), 100_000_000));
    assertThat(outlook().interference().capacity()).isCloseTo(60e6, within(1.0));
    assertThat(outlook().interference().observations()).isZero();
  }

  @Test
  void aPhaseIsLearnedWithTheRateThatItHasAlone() {
    models.learn(entry(10, Optional.empty(), Optional.of(90e6), 100_000_000));
    var before = outlook().interference();
    models.learn(entry(12, Optional.of(10.0), Optional.of(50e6), 240_000_000));
    var expected = before.withTraffic(70e6).withPhase(60e6, 20e6, 0.2);
    assertThat(outlook().interference().a()).isCloseTo(expected.a(), within(1e-9));
    assertThat(outlook().interference().error()).isCloseTo(expected.error(), within(1e-9));
  }

  @Test
  void aPhaseWhoseRateNobodyKnowsIsTakenForAsFastAsTheOrigin() {
    models.learn(entry(10, Optional.empty(), Optional.of(100e6), 0));
    var before = outlook().interference();
    models.learn(entry(12, Optional.of(10.0), Optional.empty(), 240_000_000));
    assertThat(outlook().interference()).isEqualTo(before.withPhase(100e6, 20e6, 12.0 / 10 - 1));
  }

  @Test
  void whatIsKnownIsSaidInTwoLines() {
    assertThat(models.describe())
        .containsExactly(
            "interference: no traffic seen yet",
            "performance: not known before a second of steady prefetching");
    observe(
        moment(0, 0, 0, new Work(500_000_000, 0)),
        moment(1, 40_000_000, 60e6, new Work(480_000_000, 0)));
    assertThat(models.describe())
        .containsExactly(
            "interference: the origin moves 100 MB/s, slowdowns are told to 2.0 points, phases seen: 0",
            "performance: fetching 40 MB/s, tasks 20 MB/s, error 0 % over 0 map phases");
  }

  private static PhaseEntry entry(
      double seconds, Optional<Double> alone, Optional<Double> foreign, long ours) {
    return new PhaseEntry(
        "climate",
        "slurm",
        Instant.EPOCH,
        Duration.ofMillis((long) (1000 * seconds)),
        Optional.empty(),
        alone.map(a -> new PhaseEntry.Alone(Duration.ofMillis((long) (1000 * a)), 0)),
        foreign,
        new PhaseEntry.Hold(2, 0, true, Optional.empty()),
        Map.of(ReadCause.PREFETCH, ours),
        0,
        "no-action",
        "no action on phases",
        PhaseEntry.Observed.exactly("QUIET"));
  }
}
