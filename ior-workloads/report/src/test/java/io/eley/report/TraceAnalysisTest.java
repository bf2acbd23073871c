package io.eley.report;

import static io.eley.report.SampleReports.MIB;
import static io.eley.report.SampleReports.phase;
import static io.eley.report.SampleReports.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.eley.emulated.pfs.PfsEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TraceAnalysisTest {
  private static final ObservedPhase PHASE = phase(10, 10.02, 12);

  @Test
  void countsOnlyOurReadsInsideThePhase() {
    var analysis =
        analysis(
            read(9.9, "PREFETCH", 1),
            read(10.01, "PREFETCH", 10),
            read(11.9, "DEMAND", 100),
            read(12.1, "PREFETCH", 1000),
            hpc(11, 5000),
            new PfsEvent(SampleReports.micros(11), "spark", "DIRECT", "WRITE", 7000),
            new PfsEvent(SampleReports.micros(11), "node-1", "PREFETCH", "META", 0));

    assertThat(analysis.ourBytes(PHASE)).isEqualTo(110);
    assertThat(analysis.lateBytes(PHASE)).isEqualTo(100);
  }

  @Test
  void anEventAtTheEdgeBelongsToThePhaseThatItEndsIn() {
    var analysis = analysis(read(10, "PREFETCH", 1), read(12, "PREFETCH", 2));

    assertThat(analysis.ourBytes(PHASE)).isEqualTo(2);
  }

  @Test
  void holdLatencyIsFromThePhasesStartToOurLastByteInside() {
    var analysis =
        analysis(read(10.031, "PREFETCH", 1), read(10.012, "PREFETCH", 1), read(12.5, "DEMAND", 1));

    assertThat(analysis.holdLatencyMillis(PHASE)).isCloseTo(31, within(1e-9));
  }

  @Test
  void holdLatencyIsZeroWhenNothingOfOursIsInside() {
    assertThat(analysis(read(9, "PREFETCH", 1), hpc(11, 9)).holdLatencyMillis(PHASE)).isZero();
  }

  @Test
  void sumsOriginBytesByCauseWithoutTheHpcApplication() {
    var analysis =
        analysis(
            read(1, "PREFETCH", 5), read(2, "PREFETCH", 6), read(3, "FALLBACK", 7), hpc(1, 99));

    assertThat(analysis.originBytes())
        .containsOnly(java.util.Map.entry("PREFETCH", 11L), java.util.Map.entry("FALLBACK", 7L));
  }

  @Test
  void trafficBinsAddUpToTheBytesOfTheRun() {
    long seed = 20261120;
    var random = new Random(seed);
    var events = new ArrayList<PfsEvent>();
    for (int i = 0; i < 5000; i++) {
      events.add(read(random.nextDouble() * 30, i % 3 == 0 ? "DEMAND" : "PREFETCH", i));
    }
    var analysis = new TraceAnalysis(events, SampleReports::isHpc);

    var traffic = analysis.ourTraffic(SampleReports.ZERO, 30, 0.1);

    assertThat(traffic.get("DEMAND")).as("seed %d", seed).hasSize(300);
    traffic.forEach(
        (cause, bins) ->
            assertThat(bins.stream().mapToLong(Long::longValue).sum())
                .as("seed %d, %s", seed, cause)
                .isEqualTo(analysis.originBytes().get(cause)));
  }

  @Test
  void eventsOutsideTheRunAreNotOnTheChart() {
    var analysis = analysis(read(-1, "DEMAND", 1), read(0.05, "DEMAND", 2), read(1.5, "DEMAND", 4));

    assertThat(analysis.ourTraffic(SampleReports.ZERO, 1, 0.5).get("DEMAND"))
        .containsExactly(2L, 0L);
  }

  @Test
  void aPhaseCannotEndBeforeItBegins() {
    assertThatThrownBy(() -> new ObservedPhase(10, 10, 9))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static TraceAnalysis analysis(PfsEvent... events) {
    return new TraceAnalysis(List.of(events), SampleReports::isHpc);
  }

  private static PfsEvent hpc(double at, int bytes) {
    return new PfsEvent(SampleReports.micros(at), "ior-0", "HPC", "WRITE", (int) (bytes % MIB));
  }
}
