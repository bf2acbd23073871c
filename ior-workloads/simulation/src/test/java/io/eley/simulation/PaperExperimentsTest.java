package io.eley.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BufferMode;
import io.eley.simulation.PaperExperiments.Application;
import io.eley.simulation.PaperExperiments.Load;
import io.eley.simulation.PaperExperiments.Setting;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The order of the three systems, which does not depend on what the paper leaves open. */
@Tag("slow")
@Timeout(600) // on a busy machine; it does nothing but compute
class PaperExperimentsTest {
  private static final Setting SETTING = new Setting(307e6, 1.0 / 16, 40);

  @ParameterizedTest
  @EnumSource
  void fullDelayProtectsAndNoActionIsFastest(Load load) {
    var naive = run(load, BufferMode.NAIVE_BB);
    var noAction = run(load, BufferMode.NO_ACTION);
    var fullDelay = run(load, BufferMode.FULL_DELAY);

    assertThat(noAction.lastMapSeconds()).isLessThan(0.6 * naive.lastMapSeconds());
    assertThat(noAction.lastMapSeconds()).isLessThan(fullDelay.lastMapSeconds());
    assertThat(noAction.slowdown().orElseThrow()).isGreaterThan(0.2);
    assertThat(fullDelay.slowdown().orElseThrow()).isBetween(0.0, 0.03);
    assertThat(naive.slowdown().orElseThrow()).isGreaterThan(fullDelay.slowdown().orElseThrow());
  }

  @Test
  void withTheShorterPhasesFullDelayIsStillFasterThanNaiveBb() {
    assertThat(run(Load.IOR_8_X_8_GB, BufferMode.FULL_DELAY).lastMapSeconds())
        .isLessThan(0.8 * run(Load.IOR_8_X_8_GB, BufferMode.NAIVE_BB).lastMapSeconds());
  }

  /** One fast writer that would take all of a slow origin: what we take it lacks. */
  @Test
  void adaptiveKeepsItsBoundWhereAPhaseNeedsTheWholeOrigin() {
    var slow = new Setting(153.6e6, 1.0 / 16, 20);
    var scenario =
        PaperExperiments.scenario(
            Load.IOR_1_X_32_GB, Application.WORD_COUNT, BufferMode.ADAPTIVE, slow);
    var learned = new Simulation(scenario).run().entries();
    var outcome = new Simulation(scenario, learned).run();
    assertThat(outcome.breaches()).isEmpty();
    assertThat(outcome.entries()).anyMatch(e -> e.operator().equals("partial-delay"));
    assertThat(outcome.slowdown().orElseThrow()).isBetween(0.0, scenario.control().maxSlowdown());
  }

  @Test
  void theTableHasARowForEachRunAndNoBreach() {
    var text = new StringWriter();
    SimulationTables.printPaper(SETTING, new PrintWriter(text));
    assertThat(text.toString().lines().filter(l -> l.startsWith("IOR_"))).hasSize(24);
    assertThat(text.toString()).doesNotContain("BREACH");
  }

  /** Without other work the map phase is over when IOR's first pause is, or soon after. */
  @Test
  void whereNoPhaseHasEndedNothingIsSaidOfItsTime() {
    var text = new StringWriter();
    SimulationTables.printPaper(new Setting(1.25e9, 1.0 / 16, 0), new PrintWriter(text));
    assertThat(text.toString().lines().filter(l -> l.startsWith("IOR_") && l.endsWith(" 0")))
        .isNotEmpty()
        .allMatch(l -> l.matches(".* - +- +0"));
  }

  @Test
  void aHundredNodesKeepTheirPromises() {
    var outcome = new Simulation(PaperExperiments.scale(100)).run();
    assertThat(outcome.breaches()).isEmpty();
    assertThat(outcome.slowdown().orElseThrow()).isBetween(0.0, 0.05);
    assertThat(outcome.plans()).isPositive();
  }

  private static Simulation.Outcome run(Load load, BufferMode mode) {
    var outcome =
        new Simulation(PaperExperiments.scenario(load, Application.WORD_COUNT, mode, SETTING))
            .run();
    assertThat(outcome.breaches()).isEmpty();
    return outcome;
  }
}
