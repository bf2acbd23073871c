package io.eley.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.simulation.SimHpc.Phase;
import io.eley.simulation.Testbed.Trial;
import io.eley.simulation.TestbedRun.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the table makes of runs, which {@link TestbedTest} makes for it. */
class TestbedTableTest {
  @Test
  void aPhaseThatWasNeverHeldCountsWithItsWholeLength() {
    var row = row(List.of(2.0, 2.0), List.of(100.0, -1.0));

    assertThat(row.heldMillis()).isEqualTo(1050);
    assertThat(row.worstHeldMillis()).isEqualTo(2000);
  }

  @Test
  void theMedianOfAnEvenNumberOfHoldsIsBetweenTheMiddleOnes() {
    var row = row(List.of(2.0, 2.0, 2.0, 2.0), List.of(400.0, 0.0, 200.0, 100.0));

    assertThat(row.heldMillis()).isEqualTo(150);
    assertThat(row.worstHeldMillis()).isEqualTo(400);
  }

  @Test
  void onlyFullDelayHolds() {
    assertThat(Trial.values())
        .filteredOn(trial -> new TestbedTable.Row(trial, List.of()).holds())
        .containsExactly(Trial.ANNOUNCED, Trial.SLURM, Trial.COUNTERS, Trial.OWN_READS);
  }

  @Test
  void ownReadsListenBesideEachSourceThatIsPolled() {
    assertThat(Trial.values())
        .filteredOn(Trial::readsListen)
        .containsExactly(Trial.SLURM, Trial.COUNTERS, Trial.OWN_READS);
  }

  /** IOR goes on behind Spark's map phase, and is slowed down by nobody there. */
  @Test
  void aPhaseOfWhichLessThanHalfFellIntoTheMapPhaseDoesNotCount() {
    var phases = List.of(new Phase(10, 16), new Phase(56.5, 63), new Phase(58, 62.5));
    var run = new Outcome(60, phases, List.of(), List.of(0.0, 5.0, -1.0), 3, List.of());
    var row = new TestbedTable.Row(Trial.OWN_READS, List.of(run));

    assertThat(row.phaseSeconds()).isEqualTo(6.25);
    assertThat(row.worstPhaseSeconds()).isEqualTo(6.5);
    assertThat(row.phaseSeconds(2, 3)).isNaN();
    assertThat(row.worstHeldMillis()).isEqualTo(5);
  }

  @Test
  void aloneEachPhaseCounts() {
    var run = new Outcome(0, List.of(new Phase(1, 3)), List.of(), List.of(), 0, List.of());

    assertThat(new TestbedTable.Row(Trial.HPC_ALONE, List.of(run)).phaseSeconds()).isEqualTo(2);
  }

  /** Phases of these lengths, one after the other from the map phase's begin. */
  private static TestbedTable.Row row(List<Double> lengths, List<Double> held) {
    var phases = new ArrayList<Phase>();
    double begin = 0;
    for (double length : lengths) {
      phases.add(new Phase(begin, begin + length));
      begin += length;
    }
    var run = new Outcome(60, phases, List.of(), held, phases.size(), List.of());
    return new TestbedTable.Row(Trial.OWN_READS, List.of(run));
  }
}
