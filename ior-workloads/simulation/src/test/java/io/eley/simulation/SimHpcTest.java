package io.eley.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SimHpcTest {
  private final Agenda agenda = new Agenda();
  private long shown;

  @Test
  void accountingShowsEachByteOfAPhaseAlsoTheLast() {
    var origin = new FairLink(agenda, 1000, 1000);
    var network = new Network(agenda, new Random(1), 0, 0);
    var load = new Scenario.HpcLoad(4, 1100, 10, 0);
    var hpc =
        new SimHpc("ior", load, agenda, origin, new Random(1), Optional.empty(), network.path());
    hpc.start();
    agenda.every(Duration.ofSeconds(1), () -> shown += hpc.movedSinceAsked());
    boolean unused = agenda.run(() -> false, Duration.ofSeconds(22));
    assertThat(hpc.phases()).as("of 4.4 s after 10 s").hasSize(1);
    assertThat(shown).as("asked each second").isEqualTo(4 * 1100);
  }
}
