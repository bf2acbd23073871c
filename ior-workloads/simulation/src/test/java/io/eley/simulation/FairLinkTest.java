package io.eley.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FairLinkTest {
  private final Agenda agenda = new Agenda();
  private final List<Double> ends = new ArrayList<>();

  @Test
  void requestsShareAsTheExampleSays() {
    var link = new FairLink(agenda, 100, 60);
    move(link, 0, 60);
    move(link, 0.5, 100);
    run();
    assertThat(ends.get(0)).isCloseTo(1.1, within(0.02));
    assertThat(ends.get(1)).isCloseTo(2.27, within(0.02));
  }

  @Test
  void aLoneRequestIsAsFastAsItsOwnLimit() {
    var link = new FairLink(agenda, 1000, 10);
    move(link, 0, 100);
    run();
    assertThat(ends.get(0)).isCloseTo(10, within(0.1));
    assertThat(link.secondsAlone(1, 100)).isEqualTo(10);
    assertThat(link.secondsAlone(200, 100)).isEqualTo(20);
    assertThat(link.load()).isZero();
  }

  @Test
  void theCapacityIsNeitherExceededNorWasted() {
    var link = new FairLink(agenda, 1e6, 1e6);
    for (int i = 0; i < 50; i++) {
      move(link, 0, 20_000L * (1 + i % 3));
    }
    run();
    double bytes = 17 * 20_000 + 17 * 40_000 + 16 * 60_000;
    assertThat(ends.get(49)).isCloseTo(bytes / 1e6, within(1e-3));
  }

  private void move(FairLink link, double at, long bytes) {
    agenda.at((long) (at * 1e9), () -> link.move(bytes, () -> ends.add(agenda.now() / 1e9)));
  }

  private void run() {
    int begun = ends.size();
    agenda.run(() -> false, Duration.ofHours(1));
    assertThat(ends.size()).isGreaterThan(begun);
  }
}
