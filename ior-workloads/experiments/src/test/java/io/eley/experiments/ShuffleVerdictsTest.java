package io.eley.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.eley.report.SeriesRow;
import io.eley.report.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ShuffleVerdictsTest {
  private static SeriesRow row(String system, @Nullable Double total, @Nullable Double worst) {
    return new SeriesRow(
        "Sort", system, 1, 10.0, 10.0, total, null, worst, worst, worst, null, null, 0.0, 3, 3,
        null);
  }

  private static List<SeriesRow> rows(double local, double buffer, double there, double worst) {
    return List.of(
        row("FullDelay/announced/shuffle-local", local, 0.0),
        row("FullDelay/announced", buffer, worst),
        row("FullDelay/announced/shuffle-on-pfs", there, 50.0));
  }

  @Test
  void eachAimIsMetAtItsBoundAndMissedBehindIt() {
    assertThat(ShuffleVerdicts.of(rows(20, 21, 42, 3)))
        .extracting(Verdict::met)
        .containsExactly(true, true, true);
    assertThat(ShuffleVerdicts.of(rows(20, 21.1, 42, 3.1)))
        .extracting(Verdict::met)
        .containsExactly(false, false, false);
  }

  @Test
  void aVerdictSaysWhatItsValueIsOfTheRuns() {
    assertThat(ShuffleVerdicts.of(rows(20, 21, 42, 3)))
        .extracting(Verdict::explanation)
        .containsExactly("median of 1 runs", "median of 1 runs", "worst of all phases of 1 runs");
    var held = row("FullDelay/announced", 20.0, 0.5);
    assertThat(ToShow.verdicts(List.of(held, row("NaiveBB", 30.0, 20.0))))
        .extracting(Verdict::id, Verdict::explanation)
        .containsExactly(
            tuple("FullDelay/announced-later", "median of 1 runs"),
            tuple("FullDelay/announced-worst", "worst of all phases of 1 runs"),
            tuple("FullDelay/announced-early", "median of 1 runs"),
            tuple("FullDelay/announced-map", "median of 1 runs"));
  }

  @Test
  void withoutTheOthersThereIsNothingToMeasure() {
    assertThat(ShuffleVerdicts.of(List.of(row("FullDelay/announced", 20.0, null))))
        .hasSize(3)
        .noneMatch(Verdict::met)
        .allMatch(v -> v.measured() == null);
  }
}
