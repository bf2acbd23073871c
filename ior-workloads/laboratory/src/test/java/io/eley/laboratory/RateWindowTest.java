package io.eley.laboratory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RateWindowTest {
  private final RateWindow window = new RateWindow(Duration.ofSeconds(2));

  @Test
  void bothSidesAreCountedApart() {
    window.add(500_000, 300, false);
    window.add(900_000, 100, true);
    assertThat(window.at(1_000_000)).isEqualTo(new RunSight.Rates(150, 50));
  }

  @Test
  void whatIsOlderThanTheWindowIsForgotten() {
    window.add(1_000_000, 300, false);
    window.add(1_000_001, 100, false);
    assertThat(window.at(3_000_000)).isEqualTo(new RunSight.Rates(50, 0));
    assertThat(window.at(9_000_000)).isEqualTo(new RunSight.Rates(0, 0));
  }

  @Test
  void aSightIsSaidInAFewWords() {
    var rates = new RunSight.Rates(41 << 20, 38 << 20);
    assertThat(new RunSight("map 55 %", 0.55, 1, true, rates).words())
        .isEqualTo("map 55 %, HPC phase 2, ours 41, HPC 38 MiB/s");
    assertThat(new RunSight("map 60 %", 0.6, 2, false, null).words())
        .isEqualTo("map 60 %, HPC pause");
    assertThat(new RunSight("Spark starts", 0, 0, false, null).words()).isEqualTo("Spark starts");
  }
}
