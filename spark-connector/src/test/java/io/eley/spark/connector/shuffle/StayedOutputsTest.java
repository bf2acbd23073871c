package io.eley.spark.connector.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.StayCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Stayed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class StayedOutputsTest {
  @Test
  void eachCauseHasItsOutputsAndBytes() {
    long[] before = StayedOutputs.figures();
    var expected = new ArrayList<Stayed>();
    for (StayCause cause : StayCause.values()) {
      StayedOutputs.count(cause, 100 + expected.size());
      StayedOutputs.count(cause, 1000);
      expected.add(new Stayed(cause, 2, 1100 + expected.size()));
    }
    assertThat(since(before)).isEqualTo(expected);
    assertThat(StayedOutputs.of(new long[StayedOutputs.FIGURES])).isEmpty();
  }

  /** What this JVM has counted since then. */
  static List<Stayed> since(long[] before) {
    long[] now = StayedOutputs.figures();
    Arrays.setAll(now, i -> now[i] - before[i]);
    return StayedOutputs.of(now);
  }

  @Test
  void whatFailsSaysWhy() {
    assertThat(StayedOutputs.causeOf(new EleyException(ErrorCode.UNAUTHENTICATED, "legibly")))
        .isEqualTo(StayCause.NO_SECRECY);
    assertThat(StayedOutputs.causeOf(new EleyException(ErrorCode.INTERNAL, "")))
        .isEqualTo(StayCause.ERROR);
    assertThat(StayedOutputs.causeOf(new IOException("a file is gone"))).isEqualTo(StayCause.ERROR);
  }
}
