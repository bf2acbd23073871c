package io.eley.bb.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ReadTime;
import org.junit.jupiter.api.Test;

class ReadTimesTest {
  private static final long MS = 1_000_000;
  private final ReadTimes times = new ReadTimes();

  @Test
  void readsAreReportedOnceInTheOrderOfTheirEnds() {
    times.add(100 * MS, 30 * MS, 1 << 20, 4);
    times.add(105 * MS, 35 * MS, 1 << 19, 3);
    assertThat(times.take(107 * MS))
        .containsExactly(
            new ReadTime(7 * MS, 30 * MS, 1 << 20, 4), new ReadTime(2 * MS, 35 * MS, 1 << 19, 3));
    assertThat(times.pending()).isFalse();
    assertThat(times.take(200 * MS)).isEmpty();
  }

  @Test
  void reportsAreSoFarApartThatAFastOriginCostsNoMessageAChunk() {
    int reports = 0;
    int reported = 0;
    for (int i = 0; i < 1000; i++) {
      times.add(i * MS / 10, MS, 1 << 20, 1);
      var report = times.take(i * MS / 10);
      reports += report.isEmpty() ? 0 : 1;
      reported += report.size();
    }
    assertThat(reports).isEqualTo(20);
    assertThat(times.pending()).isTrue();
    reported += times.take(1000 * MS).size();
    assertThat(reported).isEqualTo(1000);
  }

  @Test
  void whatNobodyTakesIsBoundedAndTheOldestGoFirst() {
    for (int i = 0; i < 1000; i++) {
      times.add(i * MS, MS, 1 << 20, 1);
    }
    var reads = times.take(1000 * MS);
    assertThat(reads).hasSize(256);
    assertThat(reads.get(0).agoNanos()).isEqualTo(256 * MS);
    times.add(1, 1, 1, 1);
    times.discard();
    assertThat(times.take(2000 * MS)).isEmpty();
  }
}
