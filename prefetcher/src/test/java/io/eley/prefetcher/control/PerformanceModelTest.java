package io.eley.prefetcher.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eley.prefetcher.control.Outlook.Work;
import org.junit.jupiter.api.Test;

class PerformanceModelTest {
  private static final PerformanceModel MODEL = new PerformanceModel(100, 50, 4, 0.5, 1);

  private static boolean fetchLimited(Work work, double duty, double rateInPhases) {
    return MODEL.fetchLimited(work, duty, rateInPhases, MODEL.openRate());
  }

  @Test
  void whatIsInRamIsNotFetched() {
    assertThat(MODEL.mapSeconds(new Work(1000, 400), 0, 0, 20)).isEqualTo(30);
    assertThat(MODEL.mapSeconds(new Work(1000, 950), 0, 0, 20)).as("tasks").isEqualTo(10);
    assertThat(MODEL.mapSeconds(new Work(1000, 5000), 0, 0, 0)).isEqualTo(10);
    assertThat(MODEL.mapSeconds(new Work(1000, 0), 0.25, 40, 80))
        .isCloseTo(1000.0 / 70, within(1e-9));
  }

  @Test
  void whileTheTasksRateIsNotKnownFetchingAloneCounts() {
    var model = new PerformanceModel(0, 50, 4, 0, 0);
    assertThat(model.mapSeconds(new Work(1000, 500), 0, 0, 50)).isEqualTo(10);
    assertThat(model.fetchLimited(new Work(1000, 0), 0, 0, model.openRate())).isFalse();
  }

  @Test
  void ratesAreRunningMeansThatBeginWithTheFirst() {
    var model = PerformanceModel.UNKNOWN.withTaskRate(100).withOpenRate(40, 4);
    assertThat(model).isEqualTo(new PerformanceModel(100, 40, 4, 0, 0));
    assertThat(model.withTaskRate(200).taskRate()).isCloseTo(110, within(1e-9));
    assertThat(model.withTaskRate(200).openRate()).isEqualTo(40);
    assertThat(model.withOpenRate(60, 2).openRate()).isCloseTo(42, within(1e-9));
    assertThat(model.withOpenRate(60, 2).openFetchers()).isCloseTo(3.8, within(1e-9));
    assertThat(model.withOpenRate(60, 2).taskRate()).isEqualTo(100);
  }

  @Test
  void theErrorIsTheMeanOfWhatPredictionsWereOffBy() {
    var first = PerformanceModel.UNKNOWN.withMapPhase(30, 20);
    assertThat(first).isEqualTo(new PerformanceModel(0, 0, 0, 0.5, 1));
    var second = first.withMapPhase(20, 20);
    assertThat(second.error()).isCloseTo(0.4, within(1e-9));
    assertThat(second.predictions()).isEqualTo(2);
    assertThat(second.withMapPhase(10, 20).error()).isCloseTo(0.8 * 0.4 + 0.2 * 0.5, within(1e-9));
    assertThat(second.withMapPhase(10, 0)).isEqualTo(second);
    assertThat(second.withMapPhase(10, -1)).isEqualTo(second);
    assertThat(second.withMapPhase(Double.NaN, 5)).isEqualTo(second);
  }

  @Test
  void fetchingIsTheLimitWhenItTakesLongerThanTheTasks() {
    assertThat(fetchLimited(new Work(1000, 499), 0, 0)).isTrue();
    assertThat(fetchLimited(new Work(1000, 500), 0, 0)).as("equally long").isFalse();
    assertThat(fetchLimited(new Work(1000, 750), 0.5, 0)).isFalse();
    assertThat(fetchLimited(new Work(1000, 749), 0.5, 0)).isTrue();
    assertThat(fetchLimited(new Work(1000, 499), 0.5, 50)).isTrue();
    assertThat(fetchLimited(new Work(1000, 501), 0.5, 50)).isFalse();
    assertThat(fetchLimited(new Work(1000, 1000), 0, 0)).as("all is there").isFalse();
    assertThat(fetchLimited(new Work(1000, 0), 1, 0)).as("nothing moves").isFalse();
    assertThat(new PerformanceModel(0.5, 0.1, 4, 0, 0).fetchLimited(new Work(10, 0), 0, 0, 0.1))
        .isTrue();
  }
}
