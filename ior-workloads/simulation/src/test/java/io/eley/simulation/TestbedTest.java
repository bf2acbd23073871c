package io.eley.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.simulation.Testbed.Trial;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Repeats what was measured on a real OrangeFS, see
 * docs/measurements/2026-11-22-simulated-testbed.md, with ten seeds.
 */
@Tag("slow")
class TestbedTest {
  private static final int SEEDS = 10;
  private static final int PHASES = SEEDS * Testbed.IOR.phases();
  private static final Percentage NEARLY = Percentage.withPercentage(10);
  private static final Testbed BED = Testbed.of(20e6);

  @ParameterizedTest
  @CsvSource({
    "HPC_ALONE, 5.35, 0",
    "NAIVE_BB, 6.24, 63.5",
    "ANNOUNCED, 5.37, 56.0",
    "COUNTERS, 5.57, 54.8",
    "OWN_READS, 5.58, 55.7"
  })
  void phasesAndMapTimesAreAsMeasured(Trial trial, double phase, double map) {
    var row = TestbedTable.run(BED, trial, SEEDS);
    assertThat(row.runs()).hasSize(SEEDS).allMatch(run -> run.breaches().isEmpty());
    assertThat(row.phaseSeconds()).isCloseTo(phase, NEARLY);
    assertThat(row.mapSeconds()).isCloseTo(map, NEARLY);
  }

  /** As measured, too: 143 MiB/s, which nothing was fitted to. */
  @Test
  void aloneOnServersOfTwiceTheRateIorTakesTheMeasuredTime() {
    var row = TestbedTable.run(Testbed.of(40e6), Trial.HPC_ALONE, 2);
    assertThat(row.phaseSeconds()).isCloseTo(384 / 143.0, Percentage.withPercentage(2));
  }

  /** Within 10 % of a second everybody is who moves nothing: so the slowdowns are compared, too. */
  @ParameterizedTest
  @CsvSource({
    "NAIVE_BB, 1.13, 1.30",
    "NO_ACTION, 1.10, 1.50",
    "ANNOUNCED, 0.99, 1.01",
    "SLURM, 1.0, 1.05",
    "COUNTERS, 1.0, 1.05",
    "OWN_READS, 1.02, 1.08"
  })
  void slowdownsAreThoseOfTheKnowledge(Trial trial, double least, double most) {
    double alone = TestbedTable.run(BED, Trial.HPC_ALONE, SEEDS).phaseSeconds();
    var row = TestbedTable.run(BED, trial, SEEDS);
    assertThat(row.phaseSeconds() / alone).isBetween(least, most);
  }

  @Test
  void ownReadsAloneFindEachPhaseOnce() {
    var row = TestbedTable.run(BED, Trial.OWN_READS, SEEDS);
    assertThat(row.runs().stream().mapToInt(TestbedRun.Outcome::ledgerPhases).sum())
        .isBetween(PHASES - 2, PHASES + 2);
  }

  @Test
  void theSameSeedGivesTheSameRun() {
    assertThat(new TestbedRun(BED, Trial.COUNTERS, 7).run())
        .isEqualTo(new TestbedRun(BED, Trial.COUNTERS, 7).run());
  }

  @Test
  void theTableHasARowForEachTrialAndNoBreach() {
    var text = new StringWriter();
    TestbedTable.print(BED, 1, new PrintWriter(text));
    for (Trial trial : Trial.values()) {
      assertThat(text.toString().lines()).anyMatch(line -> line.startsWith(trial.label() + " "));
    }
    assertThat(text.toString()).doesNotContain("BREACH");
  }
}
