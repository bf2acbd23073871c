package io.eley.prefetcher.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.eley.bb.api.Permit.Lane;
import io.eley.prefetcher.control.Conditions.Activity;
import io.eley.prefetcher.control.Outlook.Work;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The operators as functions of what the models say. */
class OperatorsTest {
  private static final int WORLDS = 20_000;
  private static final FullDelay HOLD =
      new FullDelay(DemandPolicy.WAIT, Duration.ofSeconds(60), 1 << 20);
  private static final Work MUCH = new Work(100_000_000_000L, 1_000_000_000L);

  /** 100 MB/s for everybody, 60 MB/s for us when nobody else is there, tasks twice as fast. */
  private static Outlook outlook(Work work, double duty) {
    var interference =
        new InterferenceModel(100e6, 1, 0.2, InterferenceModel.UNKNOWN.covariance(), 0.01, 10);
    var performance = new PerformanceModel(120e6, 60e6, 4, 0.1, 1);
    return new Outlook(2, 4, interference, performance, work, duty);
  }

  private static Conditions inPhase(double foreign, boolean known, Outlook outlook) {
    return new Conditions(
        List.of(new Activity("climate", Optional.of(foreign), known)),
        Optional.empty(),
        Duration.ofSeconds(1),
        Conditions.Doubt.NONE,
        outlook);
  }

  private static Conditions gap(Outlook outlook) {
    return new Conditions(
        List.of(), Optional.empty(), Duration.ZERO, Conditions.Doubt.NONE, outlook);
  }

  @Test
  void theModelIsWhatItsExampleSays() {
    var model = outlook(MUCH, 0).interference();
    assertThat(model.slowdown(80e6, 10e6)).isCloseTo(0.02, within(1e-9));
    assertThat(model.slowdown(80e6, 30e6)).isCloseTo(0.8 / 0.7 - 1 + 0.06, within(1e-9));
    assertThat(model.slowdown(80e6, 0)).isZero();
    assertThat(InterferenceModel.UNKNOWN.slowdown(1, 1)).isInfinite();
  }

  @Test
  void theModelLearnsWhatAnOriginReallyDoesAndHowWrongItIs() {
    var random = new Random(7);
    var model = InterferenceModel.UNKNOWN.withTraffic(100e6);
    for (int i = 0; i < 200; i++) {
      double foreign = 50e6 + 45e6 * random.nextDouble();
      double ours = 40e6 * random.nextDouble();
      double lack = Math.max(0, foreign / (100e6 - ours) - 1);
      double truth = 1.7 * lack + 0.5 * ours / 100e6 + 0.01 * random.nextGaussian();
      model = model.withPhase(foreign, ours, truth);
      assertThat(model.a()).isNotNegative();
      assertThat(model.b()).isNotNegative();
    }
    assertThat(model.a()).isCloseTo(1.7, within(0.15));
    assertThat(model.b()).isCloseTo(0.5, within(0.1));
    assertThat(model.error()).isLessThan(0.03);
    assertThat(model.observations()).isEqualTo(200);
  }

  @Test
  void theMapPhaseEndsWithTheSlowerOfTasksAndFetching() {
    var model = new PerformanceModel(100e6, 50e6, 4, 0, 0);
    var work = new Work(1_000_000_000, 0);
    assertThat(model.mapSeconds(work, 0, 0, 50e6)).isCloseTo(20, within(1e-9));
    assertThat(model.mapSeconds(work, 0.5, 0, 50e6)).isCloseTo(40, within(1e-9));
    assertThat(model.mapSeconds(work, 0.5, 50e6, 50e6)).isCloseTo(20, within(1e-9));
    assertThat(model.mapSeconds(work, 0, 0, 500e6)).isCloseTo(10, within(1e-9));
    assertThat(model.mapSeconds(work, 1, 0, 50e6)).isInfinite();
    assertThat(model.mapSeconds(Work.NONE, 1, 0, 0)).isZero();
    assertThat(model.withMapPhase(10, 20).error()).isCloseTo(0.5, within(1e-9));
    assertThat(model.withMapPhase(Double.POSITIVE_INFINITY, 20).predictions()).isZero();
  }

  @Test
  void partialDelayTakesTheLargestRateWithinTheBound() {
    var conditions = inPhase(80e6, true, outlook(MUCH, 0.5));
    Decision decision = new PartialDelay(HOLD, 0.05).decide(conditions);
    assertThat(decision.operator()).isEqualTo("partial-delay");
    double rate = 4.0 * decision.prefetch().bytesPerSecond();
    var model = conditions.outlook().interference();
    assertThat(model.slowdown(80e6, rate)).isLessThanOrEqualTo(0.05 - model.error());
    assertThat(model.slowdown(80e6, rate * 1.3)).isGreaterThan(0.05 - model.error());
    assertThat(decision.demand()).isEqualTo(decision.prefetch());
  }

  @Test
  void scaleDownKeepsAsManyFetchersAsAreWithinTheBound() {
    // One fetcher on each of two nodes moves 15 MB/s together.
    var loose = new ScaleDown(HOLD, 0.5).decide(inPhase(80e6, true, outlook(MUCH, 0.5)));
    assertThat(loose.operator()).isEqualTo("scale-down");
    assertThat(loose.prefetch()).isEqualTo(new Lane(Lane.UNLIMITED, 2));
    var tight = new ScaleDown(HOLD, 0.01).decide(inPhase(80e6, true, outlook(MUCH, 0.5)));
    assertThat(tight.operator()).isEqualTo("full-delay");
  }

  @Test
  void scaleUpCatchesUpWhileFetchingLagsBehindTheTasks() {
    var operator = new ScaleUp(HOLD, 8);
    assertThat(operator.decide(gap(outlook(MUCH, 0))).prefetch())
        .isEqualTo(new Lane(Lane.UNLIMITED, 8));
    assertThat(operator.decide(gap(outlook(new Work(1000, 1000), 0))).prefetch())
        .isEqualTo(Lane.OPEN);
    assertThat(operator.decide(inPhase(80e6, true, outlook(MUCH, 0))).held()).isTrue();
    var expected =
        new Conditions(
            List.of(),
            Optional.of(new Conditions.Expected("climate", Duration.ofMillis(80))),
            Duration.ZERO,
            Conditions.Doubt.NONE,
            outlook(MUCH, 0));
    assertThat(operator.decide(expected).held()).isTrue();
  }

  @Test
  void anExpectedPhaseClosesPrefetchingButTasksGoOn() {
    var expected =
        new Conditions(
            List.of(),
            Optional.of(new Conditions.Expected("climate", Duration.ofMillis(80))),
            Duration.ZERO,
            Conditions.Doubt.NONE,
            Outlook.UNKNOWN);
    Decision decision = HOLD.decide(expected);
    assertThat(decision.held()).isTrue();
    assertThat(decision.demand()).isEqualTo(Lane.OPEN);
    assertThat(decision.reason()).isEqualTo("a phase of climate is expected");
  }

  @Test
  void whoIsBlindFetchesOneAtATime() {
    var blind =
        new Conditions(
            List.of(), Optional.empty(), Duration.ZERO, Conditions.Doubt.BLIND, Outlook.UNKNOWN);
    assertThat(HOLD.decide(blind).prefetch().concurrentFetches()).isEqualTo(1);
    assertThat(new ScaleUp(HOLD, 8).decide(blind)).isEqualTo(HOLD.decide(blind));
  }

  @Test
  void whereNobodySeesPhasesPrefetchingGoesOnAndSaysSo() {
    var unseen =
        new Conditions(
            List.of(), Optional.empty(), Duration.ZERO, Conditions.Doubt.UNSEEN, Outlook.UNKNOWN);
    assertThat(HOLD.decide(unseen))
        .isEqualTo(new Decision("full-delay", Lane.OPEN, Lane.OPEN, FullDelay.NOBODY_SEES));
    assertThat(new ScaleUp(HOLD, 8).decide(unseen)).isEqualTo(HOLD.decide(unseen));
  }

  @Test
  void theChooserTakesWhatIsWorthItAndProtectsWhatItDoesNotKnow() {
    var chooser = new Chooser(HOLD, 0.1, 8);
    assertThat(chooser.label()).isEqualTo("chooser");
    assertThat(chooser.decide(inPhase(20e6, true, outlook(MUCH, 0.5))).operator())
        .as("20 of 100 MB/s leave room for a whole rate of 60, but for the bound")
        .isIn("partial-delay", "scale-down", "no-action");
    assertThat(chooser.decide(inPhase(80e6, false, outlook(MUCH, 0.5))))
        .isEqualTo(HOLD.decide(inPhase(80e6, false, outlook(MUCH, 0.5))));
    assertThat(
            chooser
                .decide(inPhase(80e6, true, outlook(new Work(1_000_000, 1_000_000), 0.5)))
                .operator())
        .as("nothing is won when all is in RAM")
        .isEqualTo("full-delay");
    assertThat(chooser.decide(gap(outlook(MUCH, 0.5))).operator()).isEqualTo("scale-up");
  }

  /** In the model's own world: what is decided is within the bound, and 0 is FullDelay. */
  @Test
  void theChooserNeverExceedsItsBoundInTheModelsWorld() {
    long base = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed of the worlds (-Deley.test.seed=...): " + base);
    var taken = new TreeMap<String, Integer>();
    for (int i = 0; i < WORLDS; i++) {
      var random = new Random(base + i);
      Conditions world = world(random);
      double bound = random.nextInt(5) == 0 ? 0 : random.nextDouble();
      Decision decision = new Chooser(HOLD, bound, 8).decide(world);
      taken.merge(decision.operator(), 1, Integer::sum);
      String seed = "replay with -Deley.test.seed=" + (base + i);
      if (bound == 0) {
        assertThat(decision).as(seed).isEqualTo(HOLD.decide(world));
      } else if (world.inPhase()) {
        assertThat(
                world
                    .outlook()
                    .interference()
                    .slowdown(world.foreignBytesPerSecond(), rate(decision, world.outlook())))
            .as(seed)
            .isLessThanOrEqualTo(bound * (1 + 1e-9));
      }
    }
    System.out.println("decisions: " + taken);
    assertThat(taken.keySet())
        .containsExactlyInAnyOrder(
            "full-delay", "partial-delay", "scale-down", "scale-up", "no-action");
  }

  /** What all deployments' nodes may move under a decision, prefetching and demand together. */
  private static double rate(Decision decision, Outlook outlook) {
    return outlook.sharers() * ownRate(decision, outlook);
  }

  private static double ownRate(Decision decision, Outlook outlook) {
    Lane prefetch = FairShare.of(decision.prefetch(), outlook.fetchers(), outlook.sharers());
    return switch (decision.operator()) {
      case "full-delay" -> 0;
      case "partial-delay" ->
          outlook.nodes()
              * ((double) prefetch.bytesPerSecond() + decision.demand().bytesPerSecond());
      case "scale-down" ->
          prefetch.concurrentFetches() * outlook.nodes() * ScaleDown.rateOfOne(outlook);
      default -> outlook.ownOpenRate();
    };
  }

  private static Conditions world(Random r) {
    double capacity = 1e6 * (1 + r.nextInt(2000));
    var interference =
        new InterferenceModel(
            capacity,
            3 * r.nextDouble(),
            r.nextDouble(),
            InterferenceModel.UNKNOWN.covariance(),
            r.nextDouble() / 10,
            r.nextInt(50));
    var performance =
        new PerformanceModel(
            capacity * 2 * r.nextDouble(),
            capacity * r.nextDouble(),
            1 + 3 * r.nextDouble(),
            r.nextDouble(),
            3);
    long bytes = (long) (capacity * 100 * r.nextDouble());
    var outlook =
        new Outlook(
                1 + r.nextInt(8),
                1 + r.nextInt(4),
                interference,
                performance,
                new Work(bytes, (long) (bytes * r.nextDouble() / 2)),
                r.nextDouble())
            .sharedBy(1 + r.nextInt(3));
    return r.nextInt(4) == 0
        ? gap(outlook)
        : inPhase(capacity * 1.2 * r.nextDouble(), r.nextInt(8) > 0, outlook);
  }

  @ParameterizedTest
  @EnumSource
  void choicesHaveLabels(OperatorChoice choice) {
    assertThat(OperatorChoice.of(choice.label())).isEqualTo(choice);
    assertThatThrownBy(() -> OperatorChoice.of("hope")).hasMessageContaining("scale-down");
  }

  @Test
  void modelsAreFittedToWhatHappens() {
    var models = new Models();
    long second = 1_000_000_000L;
    for (int i = 0; i < 10; i++) {
      models.observe(
          new Models.Moment(
              i * second,
              i * 50_000_000L,
              30e6,
              4,
              false,
              true,
              1,
              new Work(1_000_000_000L - i * 20_000_000L, 0),
              0),
          0);
    }
    Outlook outlook = models.outlook(2, 4, Work.NONE, 0);
    assertThat(outlook.interference().capacity()).isCloseTo(80e6, within(1e6));
    assertThat(outlook.performance().openRate()).isCloseTo(50e6, within(1.0));
    assertThat(outlook.performance().taskRate()).isCloseTo(20e6, within(1.0));
    models.observe(
        new Models.Moment(50 * second, 500_000_000L, 0, 4, false, false, 1, Work.NONE, 0), 0);
    assertThat(models.outlook(2, 4, Work.NONE, 0).performance().predictions()).isEqualTo(1);
    assertThat(models.describe()).hasSize(2).noneMatch(l -> l.contains("yet"));
    var entry =
        new PhaseEntry(
            "climate",
            "announced",
            java.time.Instant.EPOCH,
            Duration.ofSeconds(12),
            Optional.empty(),
            Optional.of(new PhaseEntry.Alone(Duration.ofSeconds(10), 0)),
            Optional.empty(),
            new PhaseEntry.Hold(2, 0, true, Optional.empty()),
            Map.of(io.eley.bb.api.ReadCause.PREFETCH, 120_000_000L),
            0,
            "no-action",
            "no action on phases",
            PhaseEntry.Observed.exactly("ANNOUNCED"));
    models.learn(entry);
    assertThat(models.outlook(2, 4, Work.NONE, 0).interference().observations()).isEqualTo(1);
  }

  /** As the coordinator does it at its start: before any traffic was seen. */
  @Test
  void theLedgerAloneTeachesTheInterferenceModel() {
    var models = new Models();
    for (int i = 0; i < 5; i++) {
      models.learn(
          new PhaseEntry(
              "climate",
              "slurm",
              java.time.Instant.EPOCH,
              Duration.ofSeconds(12),
              Optional.empty(),
              Optional.of(new PhaseEntry.Alone(Duration.ofSeconds(10), 0)),
              Optional.of(80e6),
              new PhaseEntry.Hold(2, 0, true, Optional.empty()),
              Map.of(io.eley.bb.api.ReadCause.PREFETCH, 240_000_000L),
              0,
              "no-action",
              "no action on phases",
              PhaseEntry.Observed.exactly("QUIET")));
    }
    var model = models.outlook(2, 4, Work.NONE, 0).interference();
    assertThat(model.capacity()).isCloseTo(100e6, within(1e6));
    assertThat(model.observations()).isEqualTo(5);
    assertThat(model.slowdown(96e6, 20e6)).as("as it was").isCloseTo(0.2, within(0.03));
  }
}
