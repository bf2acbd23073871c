package io.eley.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.emulated.pfs.PfsEvent;
import io.eley.report.ObservedPhase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TrafficTest {
  private final Traffic traffic = new Traffic();

  private static DeploymentReport report(long prefetched) {
    var counters =
        new NodeCounters(1, 1, 1, 0, 0, Map.of(ReadCause.PREFETCH, prefetched), 0, 0, 0, true, 0);
    return new DeploymentReport(
        BufferMode.FULL_DELAY,
        "/o",
        1,
        1,
        "",
        List.of(),
        new DeploymentReport.Control("", List.of(), List.of(), List.of()),
        List.of(new DeploymentReport.NodeReport("n", "h", 1, 0, counters)),
        List.of());
  }

  @Test
  void aCountersGrowthIsDatedWhenItIsSeen() {
    traffic.nodes(10, report(100));
    traffic.nodes(20, report(100));
    traffic.nodes(30, report(250));

    assertThat(traffic.from(0).events())
        .extracting(PfsEvent::epochMicros, PfsEvent::bytes, PfsEvent::cause)
        .containsExactly(tuple(10L, 100, "PREFETCH"), tuple(30L, 150, "PREFETCH"));
  }

  @Test
  void whatClientsReadPastTheNodesIsReadFromTheOriginToo() {
    traffic.past(10, 0);
    traffic.past(20, 100);
    traffic.past(30, 100);
    traffic.past(40, 0); // another coordinator
    traffic.past(50, 7);

    assertThat(traffic.from(0).events())
        .extracting(PfsEvent::epochMicros, PfsEvent::bytes, PfsEvent::cause)
        .containsExactly(tuple(20L, 100, "FALLBACK"), tuple(50L, 7, "FALLBACK"));
  }

  @Test
  void whatAReaderReadBeforeItWasSeenDoesNotCount() {
    traffic.readers(10, Map.of(7L, 1_000L));
    traffic.readers(20, Map.of(7L, 1_040L, 8L, 500L));
    traffic.readers(30, Map.of(8L, 502L));

    assertThat(traffic.from(0).events()).extracting(PfsEvent::bytes).containsExactly(40, 2);
  }

  @Test
  void aPhaseIsSpreadOverItsTimeAndTakenOnce() {
    var phase = new ObservedPhase("ior", 0, 0, 1_000_000);

    traffic.phases(List.of(phase), application -> 500);
    traffic.phases(List.of(phase), application -> 500);

    assertThat(traffic.from(0).events()).hasSize(10);
    assertThat(traffic.from(0).events()).extracting(PfsEvent::bytes).containsOnly(50);
  }

  @Test
  void aTraceGoesOnWhereTheLastOneEnded() {
    traffic.nodes(10, report(100));
    long next = traffic.from(Long.MAX_VALUE).recorded();
    traffic.nodes(20, report(101));

    assertThat(next).isEqualTo(1);
    assertThat(traffic.from(next).first()).isEqualTo(1);
    assertThat(traffic.from(next).events()).hasSize(1);
  }
}
