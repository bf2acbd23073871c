package io.eley.coordinator.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eley.prefetcher.control.PhaseEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobAdviceTest {
  private static final Instant BEGIN = Instant.parse("2026-11-21T06:00:00Z");

  private final List<PhaseEntry> ledger = new ArrayList<>();

  private void phase(
      String application,
      long atSecond,
      double seconds,
      @Nullable Double rate,
      @Nullable Double alone,
      boolean held) {
    ledger.add(
        new PhaseEntry(
            application,
            "slurm",
            BEGIN.plusSeconds(atSecond),
            Duration.ofMillis(Math.round(1e3 * seconds)),
            held
                ? Optional.of(new PhaseEntry.Predicted(BEGIN, Duration.ofSeconds(1), held))
                : Optional.empty(),
            Optional.ofNullable(alone)
                .map(a -> new PhaseEntry.Alone(Duration.ofMillis(Math.round(1e3 * a)), 0)),
            Optional.ofNullable(rate),
            new PhaseEntry.Hold(2, held ? 2 : 1, false, Optional.empty()),
            Map.of(),
            0,
            "full-delay",
            "full delay",
            PhaseEntry.Observed.exactly("QUIET")));
  }

  private JobAdvice advice(String job) {
    return JobAdvice.from(ledger, job).orElseThrow();
  }

  @Test
  void mediansOfWhatIsKnown() {
    phase("a@alice#7", 0, 10, 100e6, 8.0, true);
    phase("a@alice#7", 40, 12, 300e6, null, false);
    phase("a@alice#7", 100, 11, null, 10.0, true);
    phase("big@bob#8", 0, 1, 600e6, null, false);

    JobAdvice advice = advice("7");
    assertThat(advice.name()).isEqualTo("a@alice");
    assertThat(advice.phases()).isEqualTo(3);
    assertThat(advice.seconds()).isEqualTo(11);
    assertThat(advice.periods()).isEqualTo(2);
    assertThat(advice.periodSeconds()).hasValue(50);
    assertThat(advice.held()).isEqualTo(2);
    assertThat(advice.foreseen()).isEqualTo(2);
    assertThat(advice.slowdowns()).isEqualTo(2);
    assertThat(advice.slowdownError()).isZero();
    assertThat(advice.slowdown().orElseThrow()).isCloseTo((0.25 + 0.1) / 2, within(1e-9));
    assertThat(advice.bytesPerSecond()).hasValue(200e6);
    assertThat(advice.shareOfMost()).isCloseTo(1 / 3.0, within(1e-9));
  }

  @Test
  void aJobIsFoundByItsNumberAndByItsWholeName() {
    phase("a@alice#7", 0, 10, null, null, false);
    phase("a@alice#17", 0, 20, null, null, false);
    assertThat(advice("7").seconds()).isEqualTo(10);
    assertThat(advice("a@alice#17").seconds()).isEqualTo(20);
    assertThat(JobAdvice.from(ledger, "a@")).isEmpty();
    assertThat(JobAdvice.from(List.of(), "7")).isEmpty();
  }

  @Test
  void withoutTheNumberItIsAboutAllRuns() {
    phase("a@alice#7", 0, 10, null, null, false);
    phase("a@alice#17", 40, 20, null, null, false);
    phase("ab@alice#18", 80, 90, null, null, false);
    for (String name : List.of("a@alice", "a")) {
      assertThat(advice(name).name()).isEqualTo("a@alice");
      assertThat(advice(name).phases()).isEqualTo(2);
      assertThat(advice(name).seconds()).isEqualTo(15);
      assertThat(advice(name).periods()).as("one run's end is not the other's begin").isZero();
    }
  }

  @Test
  void aPauseBetweenTwoRunsIsNoPeriod() {
    phase("climate", 0, 1, null, null, false);
    phase("climate", 30, 1, null, null, false);
    phase("climate", 30 + 3600, 1, null, null, false);
    assertThat(advice("climate").periods()).isEqualTo(1);
    assertThat(advice("climate").periodSeconds()).hasValue(30);
  }

  /** A number of a run says that it is one. */
  @Test
  void checkpointsOfOneRunMayBeHoursApart() {
    for (int i = 0; i < 5; i++) {
      phase("climate@ada#4700", i * 4200L, 30, null, null, false);
    }
    assertThat(advice("4700").periods()).isEqualTo(4);
    assertThat(advice("4700").periodSeconds()).hasValue(4200);
  }

  @Test
  void ofASinglePhaseLittleIsKnown() {
    phase("climate", 0, 1, null, null, false);
    JobAdvice advice = advice("climate");
    assertThat(advice.periodSeconds()).isEmpty();
    assertThat(advice.slowdown()).isEmpty();
    assertThat(advice.bytesPerSecond()).isEmpty();
    assertThat(advice.shareOfMost()).isZero();
    assertThat(advice.foreseen()).isZero();
  }
}
