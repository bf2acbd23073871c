package io.eley.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.simulation.Testbed.Trial;
import io.eley.simulation.TestbedRun.Outcome;
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

  private static TestbedTable.Row row(List<Double> phases, List<Double> held) {
    var run = new Outcome(60, phases, List.of(), held, phases.size(), List.of());
    return new TestbedTable.Row(Trial.OWN_READS, List.of(run));
  }
}
