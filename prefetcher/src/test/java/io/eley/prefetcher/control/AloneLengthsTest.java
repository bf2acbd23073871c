package io.eley.prefetcher.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AloneLengthsTest {
  private final AloneLengths alone = new AloneLengths();

  @Test
  void theMedianOfProtectedPhasesAsTheExampleSays() {
    for (double seconds : new double[] {10.0, 10.2, 9.9, 14.0, 10.1}) {
      alone.learn(entry("a", seconds, 2, 2));
    }
    var known = alone.of("a").orElseThrow();
    assertThat(known.length()).isEqualTo(Duration.ofMillis(10_100));
    assertThat(known.error()).isCloseTo(0.01, within(0.001));
  }

  @Test
  void theMedianOfAnEvenNumberIsBetweenItsMiddleTwo() {
    for (double seconds : new double[] {40, 10, 30, 20}) {
      alone.learn(entry("a", seconds, 1, 1));
    }
    assertThat(alone.of("a").orElseThrow().length()).isEqualTo(Duration.ofSeconds(25));
  }

  @Test
  void theLastThirtyTwoPhasesCount() {
    for (int i = 0; i < 33; i++) {
      alone.learn(entry("a", i < 17 ? 10 : 30, 1, 1));
    }
    assertThat(alone.of("a").orElseThrow().length()).as("16 of each").hasSeconds(20);
  }

  @Test
  void twoPhasesAreTooFewAndUnprotectedOnesDoNotCount() {
    alone.learn(entry("a", 10, 2, 2));
    alone.learn(entry("a", 10, 2, 2));
    alone.learn(entry("a", 20, 2, 1));
    alone.learn(entry("a", 20, 0, 0));
    alone.learn(entry("b", 10, 2, 2));
    assertThat(alone.of("a")).isEmpty();
    alone.learn(entry("a", 12, 1, 1));
    assertThat(alone.of("a").orElseThrow().length()).isEqualTo(Duration.ofSeconds(10));
    assertThat(alone.of("b")).isEmpty();
  }

  @Test
  void theRateAloneIsThatOfProtectedPhasesWhoseRateIsKnown() {
    alone.learn(entry("a#1", 10, 2, 2, 80));
    alone.learn(entry("a#2", 10, 2, 2, 100));
    alone.learn(entry("a#3", 10, 2, 2));
    alone.learn(entry("a#4", 10, 2, 1, 20));
    assertThat(alone.rateOf("a#5")).as("of two").isEmpty();
    alone.learn(entry("a#5", 10, 2, 2, 90));
    assertThat(alone.rateOf("a#6")).hasValue(90);
    assertThat(alone.rateOf("b")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "LEASE_EXPIRED, 10, 0", // nobody ended it
    "SOURCE_LOST, 10, 0", // nobody saw its end
    "NAMED, 10, 0", // the rest has an entry of its own
    "QUIET, 0.4, 400" // as short as its source can see
  })
  void aFragmentTellsNothing(String ending, double seconds, long resolution) {
    var observed = new PhaseEntry.Observed(ending, Duration.ofMillis(resolution), "");
    for (int i = 0; i < 10; i++) {
      alone.learn(entry("a", seconds, 1, 1, observed));
    }
    assertThat(alone.of("a")).isEmpty();
    for (int i = 0; i < 3; i++) {
      alone.learn(entry("a", seconds + 0.001, 1, 1, PhaseEntry.Observed.exactly("QUIET")));
    }
    assertThat(alone.of("a")).as("a whole one does").isPresent();
  }

  @Test
  void aFragmentIsNotSlowerOrFasterThanAnything() {
    var observed = new PhaseEntry.Observed("SOURCE_LOST", Duration.ZERO, "");
    assertThat(known(entry("a", 12, 1, 1, observed)).slowdown()).isEmpty();
  }

  @Test
  void anApplicationThatHasChangedIsLearnedAnew() {
    for (int i = 0; i < 100; i++) {
      alone.learn(entry("a", i < 50 ? 10 : 30, 1, 1));
    }
    assertThat(alone.of("a").orElseThrow().length()).isEqualTo(Duration.ofSeconds(30));
  }

  @ParameterizedTest
  @CsvSource({"ior,ior", "ior@ada#17,ior@ada", "a#1#2,a", "#7,''", "a#,a"})
  void aSignatureIsWhatIsBeforeTheFirstHash(String application, String signature) {
    assertThat(AloneLengths.signature(application)).isEqualTo(signature);
  }

  @Test
  void slowdownIsAgainstAlone() {
    var entry = entry("a", 12, 1, 1);
    assertThat(entry.slowdown()).isEmpty();
    assertThat(known(entry).slowdown().orElseThrow()).isCloseTo(0.2, within(1e-9));
  }

  @Test
  void slowdownIsOffByTheResolutionOfBothEndsAndByWhatPhasesAloneDiffer() {
    var observed = new PhaseEntry.Observed("QUIET", Duration.ofMillis(250), "");
    assertThat(entry("a", 12, 1, 1, observed).slowdownError()).isZero();
    assertThat(known(entry("a", 12, 1, 1, observed)).slowdownError())
        .isCloseTo(0.05 + 0.01, within(1e-9));
  }

  /** The same, of an application that takes 10 s alone. */
  private static PhaseEntry known(PhaseEntry entry) {
    return new PhaseEntry(
        entry.application(),
        entry.source(),
        entry.began(),
        entry.length(),
        Optional.empty(),
        Optional.of(new PhaseEntry.Alone(Duration.ofSeconds(10), 0.01)),
        Optional.empty(),
        entry.hold(),
        entry.ourBytes(),
        entry.metadataCalls(),
        entry.operator(),
        entry.decision(),
        entry.observed());
  }

  private static PhaseEntry entry(String application, double seconds, int nodes, int confirmed) {
    return entry(application, seconds, nodes, confirmed, PhaseEntry.Observed.exactly("ANNOUNCED"));
  }

  private static PhaseEntry entry(
      String application, double seconds, int nodes, int confirmed, double rate) {
    return entry(
        application,
        seconds,
        nodes,
        confirmed,
        Optional.of(rate),
        PhaseEntry.Observed.exactly("ANNOUNCED"));
  }

  private static PhaseEntry entry(
      String application, double seconds, int nodes, int confirmed, PhaseEntry.Observed observed) {
    return entry(application, seconds, nodes, confirmed, Optional.empty(), observed);
  }

  private static PhaseEntry entry(
      String application,
      double seconds,
      int nodes,
      int confirmed,
      Optional<Double> rate,
      PhaseEntry.Observed observed) {
    return new PhaseEntry(
        application,
        "announced",
        Instant.EPOCH,
        Duration.ofMillis(Math.round(seconds * 1000)),
        Optional.empty(),
        Optional.empty(),
        rate,
        new PhaseEntry.Hold(nodes, confirmed, false, Optional.empty()),
        Map.of(),
        0,
        "full-delay",
        "full delay",
        observed);
  }
}
