package io.eley.report;

import static io.eley.report.SampleReports.phase;
import static io.eley.report.SampleReports.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class RunObservationTest {
  @Test
  void aPhaseCountsWhenHalfOfItFallsIntoTheMapPhase() {
    var record =
        observation(
                "NoAction",
                List.of(
                    phase(1, 1, 3), phase(4.2, 4.2, 6), phase(8.9, 8.9, 11), phase(9.1, 9.1, 11)))
            .toRecord(2);

    assertThat(record.phases())
        .extracting(PhaseRecord::duringMap)
        .containsExactly(false, true, true, false);
    assertThat(record.countedPhases()).hasSize(2);
  }

  @Test
  void onlyFullDelayReportsHoldLatencyOnePerCountedPhase() {
    var phases = List.of(phase(5, 5.01, 7), phase(8, 8.01, 9.5), phase(12, 12, 13));

    assertThat(observation("FullDelay", phases).toRecord(2).holdLatencyMillis())
        .hasSize(2)
        .first()
        .satisfies(hold -> assertThat(hold).isCloseTo(30, within(1e-9)));
    assertThat(observation("NoAction", phases).toRecord(2).holdLatencyMillis()).isEmpty();
  }

  @Test
  void phaseSecondsAreHeldAgainstAlone() {
    var record = observation("FullDelay", List.of(phase(5, 5.01, 7.1))).toRecord(2);

    assertThat(record.phases().get(0).seconds()).isCloseTo(2.1, within(1e-9));
    assertThat(record.phases().get(0).slowdown()).isCloseTo(0.05, within(1e-9));
  }

  @Test
  void aloneEveryPhaseCountsAndSparksNumbersAreAbsent() {
    var alone =
        new RunObservation(
            RunRecord.HPC_ALONE,
            "Sort",
            new TraceAnalysis(List.of(), SampleReports::isHpc),
            List.of(phase(1, 1, 3), phase(5, 5, 7.2)),
            SampleReports.ZERO,
            SampleReports.micros(8),
            null,
            List.of());

    assertThat(alone.meanPhaseSeconds()).hasValueCloseTo(2.1, within(1e-9));
    var record = alone.toRecord(2.1);
    assertThat(record.countedPhases()).hasSize(2);
    assertThat(record.mapSeconds()).isNull();
    assertThat(record.hitRatio()).isNull();
  }

  @Test
  void tasksAreNumberedByWaveInOrderOfLaunch() {
    var tasks =
        RunTimeline.numbered(
            List.of(task(3, 5), task(0, 2), task(0.1, 3.2), task(2, 4), task(5, 6)), 2);

    assertThat(tasks).extracting(RunTimeline.Task::wave).containsExactly(0, 0, 1, 1, 2);
    assertThat(RunTimeline.waves(tasks))
        .containsExactly(
            new RunTimeline.Span(0, 3.2), new RunTimeline.Span(2, 5), new RunTimeline.Span(5, 6));
  }

  private static RunTimeline.Task task(double start, double end) {
    return new RunTimeline.Task(start, end, 0, "h");
  }

  /** A map phase from 5 to 10 seconds, one chunk of ours at 5.03 and one between phases. */
  private static RunObservation observation(String mode, List<ObservedPhase> phases) {
    return new RunObservation(
        mode,
        "WordCount",
        new TraceAnalysis(
            List.of(read(5.03, "PREFETCH", 1 << 20), read(7.5, "PREFETCH", 1 << 20)),
            SampleReports::isHpc),
        phases,
        SampleReports.ZERO,
        SampleReports.micros(14),
        new RunObservation.SparkFacts(
            new RunTimeline.Span(5, 10), 6, 1 << 30, 0.9, "d", List.of(task(5, 10)), 2),
        List.of());
  }
}
