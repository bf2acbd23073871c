package io.eley.controller.phase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.controller.phase.SourceKind.Means;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What sources are, and the words that they speak in. */
class SourceKindTest {
  private static final Duration INTERVAL = Duration.ofMillis(250);
  private static final Duration FRESH = Duration.ofSeconds(2);

  @Test
  void whoIsToldIsCertainAndNeverLooks() {
    assertThat(SourceKind.announced("announced"))
        .isEqualTo(
            new SourceKind(
                "announced",
                Means.ANNOUNCED,
                1,
                false,
                false,
                Duration.ZERO,
                Duration.ZERO,
                Duration.ZERO,
                false));
    assertThat(SourceKind.announced("announced").sampled()).isFalse();
  }

  @Test
  void whoLooksSeesWhatSomeApplicationsMove() {
    var kind = SourceKind.sampled("slurm", 0.9, INTERVAL, FRESH);
    assertThat(kind)
        .isEqualTo(
            new SourceKind(
                "slurm", Means.SAMPLED, 0.9, false, false, INTERVAL, FRESH, INTERVAL, false));
    assertThat(kind.sampled()).isTrue();
  }

  @Test
  void whoCountsTotalsSeesEverybodyAndIsElseTheSame() {
    assertThat(SourceKind.sampled("counters", 0.8, INTERVAL, FRESH).ofTotals())
        .isEqualTo(
            new SourceKind(
                "counters", Means.SAMPLED, 0.8, true, true, INTERVAL, FRESH, INTERVAL, false));
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.01, 1.01, Double.NaN})
  void aConfidenceIsFromZeroToOne(double confidence) {
    assertThatThrownBy(() -> SourceKind.sampled("s", confidence, INTERVAL, FRESH))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Evidence("ior", "s", 0, confidence))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anIntervalOfNoLengthHasNoRate() {
    assertThat(new Sighting("ior", 5, 5, 100, false).bytesPerSecond()).isZero();
    assertThat(new Sighting("ior", 0, 500_000_000, 100, false).bytesPerSecond()).isEqualTo(200);
    assertThatThrownBy(() -> new Sighting("ior", 5, 4, 100, false))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Sighting("ior", 4, 5, -1, false))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void onlySomebodyHasNoName() {
    assertThat(new Evidence("ior", "s", 0, 1).named()).isTrue();
    assertThat(new Evidence(Evidence.SOMEBODY, "s", 0, 1).named()).isFalse();
  }

  @Test
  void aPhaseClosesBelowHalfOfWhatOpensOne() {
    assertThat(new PhaseThresholds(8, FRESH, FRESH).closeBytesPerSecond()).isEqualTo(4);
    assertThatThrownBy(() -> new PhaseThresholds(0, FRESH, FRESH))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PhaseThresholds(1, FRESH.negated(), FRESH))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PhaseThresholds(1, FRESH, FRESH.negated()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
