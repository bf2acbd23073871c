package io.eley.prefetcher.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.Permit.Lane;
import io.eley.prefetcher.Seed;
import io.eley.prefetcher.control.Conditions.Activity;
import io.eley.prefetcher.control.Outlook.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Decisions by the number. The origin moves 100 MB/s, only our share disturbs (b = 0.2), two nodes
 * of four fetchers move 80 MB/s together, so each fetcher 10; the tasks are never the limit.
 */
class DecisionsTest {
  private static final FullDelay HOLD =
      new FullDelay(DemandPolicy.WAIT, Duration.ofSeconds(60), 1_000_000);
  private static final Work WORK = new Work(10_000_000_000L, 0);

  private static Outlook outlook(int nodes, double error, Work work) {
    return new Outlook(
        nodes,
        4,
        new InterferenceModel(100e6, 0, 0.2, InterferenceModel.UNKNOWN.covariance(), error, 10),
        new PerformanceModel(1e12, 80e6, 4, 0.1, 1),
        work,
        0.5);
  }

  private static Outlook with(PerformanceModel performance) {
    return new Outlook(2, 4, outlook(2, 0, WORK).interference(), performance, WORK, 0.5);
  }

  private static Conditions phase(Outlook outlook, Activity... open) {
    return new Conditions(
        List.of(open), Optional.empty(), Duration.ofSeconds(1), Conditions.Doubt.NONE, outlook);
  }

  private static Activity known(String name) {
    return new Activity(name, Optional.of(50e6), true);
  }

  private static final Conditions PHASE = phase(outlook(2, 0, WORK), known("climate"));

  @Test
  void fullDelaySaysWhatItDoes() {
    assertThat(HOLD.decide(phase(Outlook.UNKNOWN, known("a"), known("b"))))
        .isEqualTo(new Decision("full-delay", Lane.CLOSED, Lane.CLOSED, "full delay for a, b"));
    var late = phase(Outlook.UNKNOWN, known("a")).withHeldFor(Duration.ofSeconds(60));
    assertThat(HOLD.decide(late))
        .isEqualTo(
            new Decision(
                "full-delay",
                Lane.CLOSED,
                new Lane(1_000_000, Integer.MAX_VALUE),
                "full delay for a; waiting tasks go on at a capped rate"));
    var pass = new FullDelay(DemandPolicy.PASS, Duration.ZERO, 1);
    assertThat(pass.decide(late).reason()).isEqualTo("full delay for a; waiting tasks pass");
    assertThat(HOLD.decide(Conditions.quiet()))
        .isEqualTo(new Decision("full-delay", Lane.OPEN, Lane.OPEN, "no phase"));
    assertThatThrownBy(() -> new FullDelay(DemandPolicy.WAIT, Duration.ofNanos(-1), 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void noActionIsAlwaysOpen() {
    assertThat(new NoAction().decide(PHASE))
        .isEqualTo(new Decision("no-action", Lane.OPEN, Lane.OPEN, "no action on phases"));
    assertThat(new NoAction().decide(Conditions.quiet()).reason()).isEqualTo("no phase");
  }

  /**
   * 5 % is 25 MB/s of all: 6.25 MB/s for each lane, rounded down to an eighth of a power of two.
   */
  @Test
  void partialDelayGivesEachLaneOfEachNodeAnEqualPart() {
    var operator = new PartialDelay(HOLD, 0.05);
    long lane = 6_250_000 / (4_194_304 / 8) * (4_194_304 / 8);
    assertThat(operator.rate(PHASE)).isEqualTo(4.0 * lane);
    assertThat(operator.decide(PHASE))
        .isEqualTo(
            new Decision(
                "partial-delay",
                new Lane(lane, Integer.MAX_VALUE),
                new Lane(lane, Integer.MAX_VALUE),
                "partial delay for climate: 23.1 MB/s of all nodes, bound +5.0 %"));
  }

  @Test
  void underPartialDelayDeploymentsShareTheRateAndNotWhatIsLeftToTasks() {
    var shared = phase(PHASE.outlook().sharedBy(2), known("climate"));
    long ofLane = 3_125_000 / (2_097_152 / 8) * (2_097_152 / 8);
    var lane = new Lane(ofLane, Integer.MAX_VALUE);
    assertThat(new PartialDelay(HOLD, 0.05).decide(shared))
        .isEqualTo(
            new Decision(
                "partial-delay",
                lane,
                lane,
                "partial delay for climate: 11.5 MB/s of all nodes, bound +5.0 %"));
    var capped = new FullDelay(DemandPolicy.CAPPED, Duration.ofSeconds(60), 8_000_000);
    assertThat(new PartialDelay(capped, 0.05).decide(PHASE).demand().bytesPerSecond())
        .as("its part of the bound is more")
        .isGreaterThan(4_000_000);
    assertThat(new PartialDelay(capped, 0.05).decide(shared).demand())
        .isEqualTo(new Lane(4_000_000, Integer.MAX_VALUE));
    assertThatThrownBy(() -> PHASE.outlook().sharedBy(0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void tasksThatWaitAreNotSlowerUnderPartialDelayThanUnderFullDelay() {
    var capped = new FullDelay(DemandPolicy.CAPPED, Duration.ofSeconds(60), 18_000_000);
    Decision decision = new PartialDelay(capped, 0.05).decide(PHASE);
    assertThat(decision.demand()).isEqualTo(new Lane(9_000_000, Integer.MAX_VALUE));
    assertThat(decision.prefetch().bytesPerSecond()).isLessThan(6_250_001);
    assertThat(decision.reason()).endsWith("; waiting tasks go on at a capped rate");
    var slower = new FullDelay(DemandPolicy.CAPPED, Duration.ofSeconds(60), 1_000_000);
    assertThat(new PartialDelay(slower, 0.05).decide(PHASE).demand())
        .isEqualTo(decision.prefetch());
  }

  @Test
  void theCappedRateIsOfAllNodesTogether() {
    var late = phase(PHASE.outlook(), known("a")).withHeldFor(Duration.ofSeconds(60));
    assertThat(HOLD.decide(late).demand())
        .as("of two nodes")
        .isEqualTo(new Lane(500_000, Integer.MAX_VALUE));
  }

  @Test
  void aRateIsRoundedDownByLessThanAnEighth() {
    var random = Seed.random("the bounds");
    for (int i = 0; i < 2000; i++) {
      double bound = random.nextDouble() / 5 + 1e-6;
      int nodes = 1 + random.nextInt(50);
      var conditions = phase(outlook(nodes, 0, WORK), known("a"));
      double most = conditions.outlook().interference().largestRate(50e6, bound);
      double rate = new PartialDelay(HOLD, bound).rate(conditions);
      assertThat(rate).isLessThanOrEqualTo(most).isGreaterThan(most * 7 / 8 - 2 * nodes);
    }
  }

  @Test
  void whatCannotBeModelledIsHeld() {
    var unknown = new Activity("new", Optional.of(1.0), false);
    for (var conditions :
        List.of(
            phase(outlook(2, 0, WORK), unknown),
            phase(outlook(2, 0, WORK), known("a"), unknown),
            phase(outlook(0, 0, WORK), known("a")))) {
      Decision held = HOLD.decide(conditions);
      assertThat(new PartialDelay(HOLD, 0.5).decide(conditions)).isEqualTo(held);
      assertThat(new ScaleDown(HOLD, 0.5).decide(conditions)).isEqualTo(held);
    }
    var alsoNew = phase(outlook(2, 0, WORK), known("a"), unknown);
    assertThat(new Chooser(HOLD, 0.5, 8).decide(alsoNew)).isEqualTo(HOLD.decide(alsoNew));
    var gap =
        new Conditions(
            List.of(), Optional.empty(), Duration.ZERO, Conditions.Doubt.NONE, PHASE.outlook());
    assertThat(new PartialDelay(HOLD, 0.5).decide(gap)).isEqualTo(HOLD.decide(gap));
    assertThat(new ScaleDown(HOLD, 0.5).decide(gap)).isEqualTo(HOLD.decide(gap));
  }

  /** One fetcher of each of two nodes moves 20 MB/s together: 4 % of slowdown. */
  @ParameterizedTest
  @CsvSource({"0.039, 0", "0.0401, 1", "0.0799, 1", "0.0801, 2", "0.1601, 4", "5, 4"})
  void scaleDownKeepsTheFetchersThatFitIntoTheBound(double bound, int fetchers) {
    var operator = new ScaleDown(HOLD, bound);
    assertThat(operator.fetchers(PHASE)).isEqualTo(fetchers);
    Decision decision = operator.decide(PHASE);
    if (fetchers == 0) {
      assertThat(decision).isEqualTo(HOLD.decide(PHASE));
    } else {
      assertThat(decision.prefetch()).isEqualTo(new Lane(Lane.UNLIMITED, fetchers));
      assertThat(decision.demand()).isEqualTo(Lane.CLOSED);
      assertThat(decision.reason())
          .isEqualTo(
              String.format(
                  java.util.Locale.ROOT,
                  "scale down for climate: %d of 4 fetchers on each node, bound %+.1f %%",
                  fetchers,
                  bound * 100));
    }
  }

  /** One fetcher of each node of two deployments: 8 % of slowdown together. */
  @Test
  void underScaleDownEachDeploymentHasAFetcherWithinTheBoundOrNone() {
    var shared = phase(PHASE.outlook().sharedBy(2), known("climate"));
    assertThat(new ScaleDown(HOLD, 0.0799).decide(shared)).isEqualTo(HOLD.decide(shared));
    Decision decision = new ScaleDown(HOLD, 0.0801).decide(shared);
    assertThat(FairShare.of(decision.prefetch(), 4, 2)).isEqualTo(new Lane(Lane.UNLIMITED, 1));
  }

  /** With five deployments of four fetchers a node has one of each: 25 % more than its own. */
  @Test
  void theChooserSeesWhatAllDeploymentsFetch() {
    assertThat(PHASE.outlook().sharedBy(2).ownOpenRate()).isEqualTo(40e6);
    assertThat(PHASE.outlook().sharedBy(5).ownOpenRate()).isEqualTo(20e6);
    var unsure = phase(outlook(2, 10, WORK).sharedBy(5), known("climate"));
    assertThat(new Chooser(HOLD, 0.3198, 8).decide(unsure).operator())
        .as("20 of 100 MB/s would be within it, 100 are not")
        .isEqualTo("partial-delay");
    assertThat(
            new Chooser(HOLD, 0.0799, 8)
                .decide(phase(PHASE.outlook().sharedBy(2), known("a")))
                .operator())
        .isEqualTo("partial-delay");
  }

  /** Half of the time is a gap: 40 MB/s of all fetchers keep up with the tasks, 20 do not. */
  @Test
  void whoHasAPartOfTheFetchersCatchesUpByWhatThatPartMoves() {
    var alone = with(new PerformanceModel(39e6, 80e6, 4, 0, 0));
    assertThat(new ScaleUp(HOLD, 5).decide(gap(alone))).isEqualTo(HOLD.decide(gap(alone)));
    assertThat(new ScaleUp(HOLD, 5).decide(gap(alone.sharedBy(2))).operator())
        .isEqualTo("scale-up");
  }

  private static Conditions gap(Outlook outlook) {
    return new Conditions(
        List.of(), Optional.empty(), Duration.ZERO, Conditions.Doubt.NONE, outlook);
  }

  @Test
  void oneFetcherMovesItsPartOfWhatAllDo() {
    assertThat(ScaleDown.rateOfOne(outlook(2, 0, WORK))).isEqualTo(10e6);
    assertThat(ScaleDown.rateOfOne(outlook(1, 0, WORK))).isEqualTo(20e6);
    assertThat(ScaleDown.rateOfOne(outlook(0, 0, WORK))).isZero();
    var narrow = new PerformanceModel(1e12, 80e6, 2, 0.1, 1);
    assertThat(ScaleDown.rateOfOne(with(narrow))).as("two of its four sufficed").isEqualTo(20e6);
    assertThat(ScaleDown.rateOfOne(with(PerformanceModel.UNKNOWN))).isZero();
  }

  @Test
  void scaleUpNeedsMoreFetchersThanUsualAndAQuietOriginThatSomebodySees() {
    var behind =
        new Outlook(
            2,
            4,
            PHASE.outlook().interference(),
            new PerformanceModel(160e6, 80e6, 4, 0, 0),
            WORK,
            0.5);
    var gap =
        new Conditions(List.of(), Optional.empty(), Duration.ZERO, Conditions.Doubt.NONE, behind);
    assertThat(new ScaleUp(HOLD, 5).decide(gap))
        .isEqualTo(
            new Decision(
                "scale-up",
                new Lane(Lane.UNLIMITED, 5),
                Lane.OPEN,
                "scale up: 5 fetchers on each node catch up"));
    assertThat(new ScaleUp(HOLD, 4).decide(gap)).isEqualTo(HOLD.decide(gap));
    var blind =
        new Conditions(List.of(), Optional.empty(), Duration.ZERO, Conditions.Doubt.BLIND, behind);
    assertThat(new ScaleUp(HOLD, 5).decide(blind)).isEqualTo(HOLD.decide(blind));
    var always = new Outlook(2, 4, behind.interference(), behind.performance(), behind.work(), 1);
    var noGaps =
        new Conditions(List.of(), Optional.empty(), Duration.ZERO, Conditions.Doubt.NONE, always);
    assertThat(new ScaleUp(HOLD, 5).decide(noGaps))
        .as("phases that take all the time leave nothing to catch up in")
        .isEqualTo(HOLD.decide(noGaps));
    var open = phase(behind, known("a"));
    assertThat(new ScaleUp(HOLD, 5).decide(open)).isEqualTo(HOLD.decide(open));
    assertThat(new Chooser(HOLD, 0.1, 5).decide(gap).operator()).isEqualTo("scale-up");
    assertThat(new Chooser(HOLD, 0, 5).decide(gap)).isEqualTo(HOLD.decide(gap));
  }

  /** A rate where no fetcher fits; fetchers where they move no less than the rounded rate. */
  @ParameterizedTest
  @CsvSource({
    "0, full-delay",
    "-1, full-delay",
    "0.01, partial-delay",
    "0.041, scale-down",
    "0.07, partial-delay",
    "0.161, scale-down"
  })
  void theChooserTakesWhatEndsTheMapPhaseFirst(double bound, String operator) {
    assertThat(new Chooser(HOLD, bound, 8).decide(PHASE).operator()).isEqualTo(operator);
  }

  @Test
  void theChooserSaysWhyItChose() {
    var unsure = phase(outlook(2, 10, WORK), known("climate"));
    assertThat(new Chooser(HOLD, 0.3198, 8).decide(unsure))
        .as("the fetchers that fit, and the rounded rate, are more than a hundredth slower")
        .isEqualTo(
            new Decision(
                "no-action",
                Lane.OPEN,
                Lane.OPEN,
                "chosen: no action, since even our whole rate is within the bound of +32.0 %"));
    assertThat(new Chooser(HOLD, 0.01, 8).decide(PHASE).reason())
        .startsWith("chosen: partial delay for climate: ");
  }

  @Test
  void aWinOfLessThanAHundredthIsNotWorthADisturbance() {
    // What is left to fetch takes 1.0 s at 40 MB/s in gaps; the tasks take 0.995 s anyway.
    var work = new Work(1_000_000_000, 960_000_000);
    for (double seconds : new double[] {0.98, 0.995}) {
      var outlook =
          new Outlook(
              2,
              4,
              PHASE.outlook().interference(),
              new PerformanceModel(1e9 / seconds, 80e6, 4, 0, 0),
              work,
              0.5);
      String operator = new Chooser(HOLD, 0.2, 8).decide(phase(outlook, known("a"))).operator();
      assertThat(operator).isEqualTo(seconds < 0.99 ? "scale-down" : "full-delay");
    }
  }

  /**
   * As beside a board from the start: what gaps bring is not known, and the tasks are the limit.
   */
  @Test
  void withoutARateInGapsTheChooserHolds() {
    var conditions = phase(with(new PerformanceModel(1e6, 0, 0, 0, 0)), known("a"));
    assertThat(new PartialDelay(HOLD, 0.2).decide(conditions).held()).isFalse();
    assertThat(new Chooser(HOLD, 0.2, 8).decide(conditions)).isEqualTo(HOLD.decide(conditions));
  }

  @Test
  void theModelsErrorIsAMarginForTheChooserToo() {
    // All four fetchers move 80 MB/s, which slows by 0.16.
    assertThat(chosen(0.161, 0)).isEqualTo("scale-down");
    assertThat(chosen(0.161, 0.02)).isEqualTo("partial-delay");
    assertThat(chosen(0.181, 0.02)).isEqualTo("scale-down");
    assertThat(chosen(0.321, 10)).as("at most half of the bound").isEqualTo("scale-down");
    assertThat(chosen(0.319, 10)).isEqualTo("partial-delay");
  }

  private static String chosen(double bound, double error) {
    return new Chooser(HOLD, bound, 8)
        .decide(phase(outlook(2, error, WORK), known("a")))
        .operator();
  }

  @Test
  void phasesMoveTheirSumAndOneThatNobodyMeasuredMovesAllThereIs() {
    var both = phase(PHASE.outlook(), known("a"), known("b"));
    assertThat(both.foreignBytesPerSecond()).isCloseTo(100e6, within(1e-6));
    var unmeasured = new Activity("c", Optional.empty(), true);
    assertThat(phase(PHASE.outlook(), known("a"), unmeasured).foreignBytesPerSecond())
        .isCloseTo(150e6, within(1e-6));
    assertThat(Conditions.quiet().foreignBytesPerSecond()).isZero();
    assertThat(both.applications()).isEqualTo("a, b");
    var named = Conditions.inPhase(List.of("x", "y"));
    assertThat(named.applications()).isEqualTo("x, y");
    assertThat(named.open()).noneMatch(Activity::aloneKnown);
  }

  @ParameterizedTest
  @EnumSource
  void aModeIsAnOperatorAndAdaptiveTheChosenOne(OperatorChoice choice) {
    assertThat(choice.of(BufferMode.NAIVE_BB, HOLD, 0.1, 8)).isEqualTo(new NoAction());
    assertThat(choice.of(BufferMode.NO_ACTION, HOLD, 0.1, 8)).isEqualTo(new NoAction());
    assertThat(choice.of(BufferMode.FULL_DELAY, HOLD, 0.1, 8)).isSameAs(HOLD);
    assertThat(choice.of(BufferMode.ADAPTIVE, HOLD, 0.1, 8))
        .isEqualTo(
            switch (choice) {
              case CHOOSER -> new Chooser(HOLD, 0.1, 8);
              case PARTIAL_DELAY -> new PartialDelay(HOLD, 0.1);
              case SCALE_DOWN -> new ScaleDown(HOLD, 0.1);
              case SCALE_UP -> new ScaleUp(HOLD, 8);
            });
  }

  @Test
  void anOutlookHasSomebodyToFetchAndADutyThatIsAPart() {
    var refused = new ArrayList<Outlook>();
    for (double duty : new double[] {-0.01, 1.01}) {
      assertThatThrownBy(() -> refused.add(outlook(1, 1, duty)))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> refused.add(outlook(-1, 1, 0)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> refused.add(outlook(1, 0, 0)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(outlook(0, 1, 1).nodes()).isZero();
    assertThat(outlook(0, 1, 0).duty()).isZero();
    assertThat(refused).isEmpty();
  }

  private static Outlook outlook(int nodes, int fetchers, double duty) {
    return new Outlook(
        nodes, fetchers, InterferenceModel.UNKNOWN, PerformanceModel.UNKNOWN, Work.NONE, duty);
  }
}
