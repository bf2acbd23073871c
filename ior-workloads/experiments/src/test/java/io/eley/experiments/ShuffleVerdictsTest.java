package io.eley.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.eley.report.SeriesRow;
import io.eley.report.Verdict;
import io.eley.workloads.Workload;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ShuffleVerdictsTest {
  private static SeriesRow row(String system, @Nullable Double total, @Nullable Double worst) {
    return new SeriesRow(
        "Sort", system, 1, 10.0, 10.0, total, null, worst, worst, worst, null, null, 0.0, 3, 3,
        null);
  }

  private static List<Verdict> verdicts(List<SeriesRow> rows) {
    return NamedExperiment.SHUFFLE.design().verdicts(rows);
  }

  private static List<SeriesRow> rows(double local, double buffer, double there, double worst) {
    return List.of(
        row("FullDelay/announced/shuffle-local", local, 0.0),
        row("FullDelay/announced", buffer, worst),
        row("FullDelay/announced/shuffle-on-pfs", there, 50.0));
  }

  @Test
  void eachAimIsMetAtItsBoundAndMissedBehindIt() {
    assertThat(verdicts(rows(20, 21, 42, 3)))
        .extracting(Verdict::met)
        .containsExactly(true, true, true);
    assertThat(verdicts(rows(20, 21.1, 42, 3.1)))
        .extracting(Verdict::met)
        .containsExactly(false, false, false);
  }

  @Test
  void aVerdictSaysWhatItsValueIsOfTheRuns() {
    assertThat(verdicts(rows(20, 21, 42, 3)))
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
  void whatNoRunCouldMeasureIsNotMet() {
    assertThat(verdicts(List.of(row("FullDelay/announced/shuffle-local", 20.0, 0.0))))
        .extracting(Verdict::id, Verdict::met, Verdict::measured)
        .containsExactly(
            tuple("shuffle-local", false, null),
            tuple("shuffle-pfs", false, null),
            tuple("shuffle-ior", false, null));
  }

  /** As where the counters' source breaks, so that each run with them fails. */
  @Test
  void aKindOfKnowledgeWhoseRunsAllFailedHasItsVerdictsNotMet() {
    var counters = Trial.fullDelay(Knowledge.COUNTERS);
    var design =
        NamedExperiment.KNOWLEDGE
            .design()
            .withWorkloads(List.of(Workload.SORT))
            .withTrials(List.of(Trial.NAIVE, Trial.fullDelay(Knowledge.ANNOUNCED), counters));

    var verdicts =
        design.verdicts(List.of(row("NaiveBB", 30.0, 20.0), row("FullDelay/announced", 20.0, 0.5)));

    assertThat(verdicts).hasSize(8);
    assertThat(verdicts.subList(4, 8))
        .extracting(Verdict::id, Verdict::met, Verdict::measured, Verdict::explanation)
        .containsExactly(
            tuple("FullDelay/counters-later", false, null, "nothing to measure"),
            tuple("FullDelay/counters-worst", false, null, "nothing to measure"),
            tuple("FullDelay/counters-early", false, null, "nothing to measure"),
            tuple("FullDelay/counters-map", false, null, "nothing to measure"));
  }

  @Test
  void withoutTheOthersThereIsNothingToMeasure() {
    assertThat(verdicts(List.of(row("FullDelay/announced", 20.0, null))))
        .hasSize(3)
        .noneMatch(Verdict::met)
        .allMatch(v -> v.measured() == null);
  }
}
