package io.eley.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExpectationsTest {
  private static final RunTimeline NOTHING =
      new RunTimeline(0, 1, List.of(), List.of(), List.of(), 0.1, Map.of(), List.of(), List.of());

  @Test
  void theSampleMeetsEveryExpectation() {
    assertThat(SampleReports.report().verdicts()).hasSize(9).allMatch(Verdict::met);
  }

  @Test
  void theMapTimeBoundIsInclusive() {
    assertThat(verdict("no-action-map-time", run("NaiveBB", 10.0), run("NoAction", 6.0)).met())
        .isTrue();
    assertThat(verdict("no-action-map-time", run("NaiveBB", 10.0), run("NoAction", 6.01)).met())
        .isFalse();
  }

  @Test
  void fullDelayMustBeBelowNaiveNotEqual() {
    assertThat(verdict("full-delay-map-time", run("NaiveBB", 10.0), run("FullDelay", 9.9)).met())
        .isTrue();
    assertThat(verdict("full-delay-map-time", run("NaiveBB", 10.0), run("FullDelay", 10.0)).met())
        .isFalse();
  }

  @Test
  void slowPhasesAreShownAsNotMet() {
    var verdict = verdict("full-delay-phases", run("FullDelay", 9.0, phase(2.0, 0), phase(2.2, 0)));

    assertThat(verdict.met()).isFalse();
    assertThat(verdict.measured()).isCloseTo(5.0, within(1e-9));
    assertThat(verdict.explanation()).contains("2 phases").contains("worst +10.0 %");
  }

  @Test
  void oneChunkPerFetcherMayBeLateAndNotAByteMore() {
    long allowed = SampleReports.parameters().inFlightBytes();

    assertThat(verdict("full-delay-late-bytes", run("FullDelay", 9.0, phase(2, allowed))).met())
        .isTrue();
    assertThat(verdict("full-delay-late-bytes", run("FullDelay", 9.0, phase(2, allowed + 1))).met())
        .isFalse();
  }

  /** Nobody reads behind the map phase: nothing is late there, and nothing was measured. */
  @Test
  void phasesOutsideTheMapPhaseMeasureNothing() {
    var behind = new PhaseRecord(20, 2, 2, 0, 0, false);
    var verdict = verdict("full-delay-late-bytes", run("FullDelay", 9.0, behind));
    assertThat(verdict.met()).isFalse();
    assertThat(verdict.measured()).isNull();
    assertThat(verdict.explanation()).contains("no phase fell into the map phase");
    assertThat(
            verdict("full-delay-late-bytes", run("FullDelay", 9.0, phase(2, 0), behind))
                .explanation())
        .isEqualTo("1 phase");
  }

  @Test
  void aPauseThatWasHeldFromBeginToEndIsNotMet() {
    var phases = List.of(phaseAt(1), phaseAt(7), phaseAt(13));
    assertThat(pauses(phases, new RunTimeline.Span(1, 3), new RunTimeline.Span(7, 9)))
        .satisfies(v -> assertThat(v.met()).isTrue())
        .satisfies(v -> assertThat(v.measured()).isEqualTo(0));
    var one = pauses(phases, new RunTimeline.Span(1, 3), new RunTimeline.Span(6, 15));
    assertThat(one.met()).as("one of two").isFalse();
    assertThat(one.measured()).isCloseTo(100, within(1e-9));
    assertThat(pauses(phases, new RunTimeline.Span(4, 9)).measured()).isCloseTo(75, within(1e-9));
    assertThat(pauses(phases, new RunTimeline.Span(4, 9)).met()).as("inclusive").isTrue();
  }

  @Test
  void aPauseOfTwiceTheGuardIsNoPause() {
    var phases = List.of(phaseAt(1), phaseAt(3.125));
    assertThat(pauses(phases, new RunTimeline.Span(0, 9)).measured()).isNull();
  }

  private static PhaseRecord phaseAt(double start) {
    return new PhaseRecord(start, 2, 2, 0, 0, true);
  }

  private static Verdict pauses(List<PhaseRecord> phases, RunTimeline.Span... closed) {
    var plain = run("FullDelay", 9.0, phases.toArray(new PhaseRecord[0]));
    var timeline =
        new RunTimeline(
            0, 20, List.of(), List.of(), List.of(), 0.1, Map.of(), List.of(), List.of(closed));
    return verdict(
        "full-delay-pauses",
        new RunRecord(
            plain.mode(),
            plain.workload(),
            plain.mapSeconds(),
            plain.totalSeconds(),
            plain.inputBytes(),
            plain.hitRatio(),
            plain.phases(),
            plain.holdLatencyMillis(),
            plain.origin(),
            plain.digest(),
            timeline,
            1));
  }

  @Test
  void whatCannotBeMeasuredIsNotMet() {
    assertThat(Expectations.judge(List.of(run("NaiveBB", 10.0)), SampleReports.parameters()))
        .hasSize(5)
        .allSatisfy(
            verdict -> {
              assertThat(verdict.met()).isFalse();
              assertThat(verdict.measured()).isNull();
              assertThat(verdict.explanation()).isNotBlank();
            });
  }

  private static Verdict verdict(String id, RunRecord... runs) {
    return Expectations.judge(List.of(runs), SampleReports.parameters()).stream()
        .filter(v -> v.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private static PhaseRecord phase(double seconds, long lateBytes) {
    return new PhaseRecord(1, seconds, 2, lateBytes, lateBytes, true);
  }

  private static RunRecord run(String mode, double mapSeconds, PhaseRecord... phases) {
    return new RunRecord(
        mode,
        "WordCount",
        mapSeconds,
        mapSeconds + 1,
        1,
        0.5,
        List.of(phases),
        List.of(),
        Map.of(),
        "d",
        NOTHING,
        1);
  }
}
