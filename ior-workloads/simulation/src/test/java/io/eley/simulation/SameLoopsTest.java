package io.eley.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BufferMode;
import io.eley.coordinator.ReplayedCoordinator;
import io.eley.prefetcher.control.PhaseEntry;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The simulation's figures are the product's: what reached the simulated coordinator is played to
 * the coordinator's process, message by message, and both must write the same ledger.
 */
@Tag("slow")
@Timeout(600) // on a busy machine; it does nothing but compute
class SameLoopsTest {
  private static final int HISTORIES = 200;

  @TempDir Path origin;

  @Test
  void oneHistoryGivesBothCompositionsTheSameLedgerEntryByEntry() throws Exception {
    long base = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed of the histories (-Deley.test.seed=...): " + base);
    int entries = 0;
    int announced = 0;
    int seen = 0;
    int lateNodes = 0;
    for (int i = 0; i < HISTORIES; i++) {
      var mode = i % 3 == 0 ? BufferMode.NO_ACTION : BufferMode.FULL_DELAY;
      var scenario = Scenario.random(base + i).with(mode);
      List<PhaseEntry> simulated;
      List<PhaseEntry> replayed;
      try (var process =
          new ReplayedCoordinator(
              origin, mode, Simulation.controlOptions(scenario), SimCoordinator.ACCOUNTING)) {
        simulated = new Simulation(scenario, List.of(), process).run().entries();
        replayed = process.entries();
      }
      assertThat(replayed).as("seed %d", base + i).containsExactlyElementsOf(simulated);
      entries += simulated.size();
      announced += count(simulated, "announced");
      seen += count(simulated, "slurm");
      lateNodes +=
          (int) simulated.stream().filter(e -> e.hold().confirmed() < e.hold().nodes()).count();
    }
    System.out.printf(
        "%d entries compared: %d announced, %d seen, %d not held by every node%n",
        entries, announced, seen, lateNodes);
    assertThat(announced).isGreaterThan(20);
    assertThat(seen).isGreaterThan(20);
    assertThat(lateNodes).isPositive();
  }

  private static int count(List<PhaseEntry> entries, String source) {
    return (int) entries.stream().filter(e -> e.source().equals(source)).count();
  }
}
