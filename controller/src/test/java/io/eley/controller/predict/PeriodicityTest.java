package io.eley.controller.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Series whose period is known. */
class PeriodicityTest {
  /** Bursts of three samples, one a period. */
  private static double[] bursts(int samples, int period) {
    double[] series = new double[samples];
    for (int i = 0; i < samples; i++) {
      series[i] = i % period < 3 ? 10 : 0;
    }
    return series;
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 13, 32, 50})
  void theShortestPeriodIsFoundNotAMultiple(int period) {
    var found = Periodicity.of(bursts(400, period)).orElseThrow();
    assertThat(found.length()).isCloseTo(period, within(0.1));
    assertThat(found.confidence()).isGreaterThan(0.9).isLessThanOrEqualTo(1);
  }

  @Test
  void aPeriodBetweenTwoSamplesIsFoundBetweenThem() {
    double[] series = new double[400];
    for (int i = 0; i < series.length; i++) {
      series[i] = Math.sin(2 * Math.PI * i / 20.5);
    }
    assertThat(Periodicity.of(series).orElseThrow().length()).isCloseTo(20.5, within(0.1));
  }

  @Test
  void aConstantHasNone() {
    double[] series = new double[100];
    Arrays.fill(series, 1e9);
    assertThat(Periodicity.of(series)).isEmpty();
    assertThat(Periodicity.of(new double[100])).isEmpty();
    assertThat(Periodicity.autocorrelation(series)).isEmpty();
  }

  @Test
  void seriesOfFewerThanEightSamplesAreTooShort() {
    double[] series = {1, 0, 1, 0, 1, 0, 1, 0};
    assertThat(Periodicity.of(series)).isPresent();
    assertThat(Periodicity.of(Arrays.copyOf(series, 7))).isEmpty();
    assertThat(Periodicity.of(new double[0])).isEmpty();
  }

  @Test
  void whatRepeatsTooSeldomIsNoPeriod() {
    assertThat(Periodicity.of(bursts(100, 45)).map(p -> p.length()))
        .as("two and a half times is the least")
        .satisfies(found -> assertThat(found.orElse(0.0)).isLessThanOrEqualTo(41));
  }

  @Test
  void chanceIsNotTakenForAPeriodWithConfidence() {
    var random = new Random(7);
    double[] series = random.doubles(512).toArray();
    assertThat(Periodicity.of(series).map(Periodicity.Period::confidence).orElse(0.0))
        .isLessThan(0.4);
  }

  @Test
  void theAutocorrelationIsThatOfTheDefinition() {
    double[] series = {3, 1, 4, 1, 5, 9, 2, 6};
    double mean = Arrays.stream(series).average().orElseThrow();
    double[] found = Periodicity.autocorrelation(series);
    double variance = Arrays.stream(series).map(x -> (x - mean) * (x - mean)).sum() / 8;
    assertThat(found).hasSize(8);
    assertThat(found[0]).isCloseTo(1, within(1e-9));
    for (int lag = 1; lag < series.length; lag++) {
      double sum = 0;
      for (int i = 0; i + lag < series.length; i++) {
        sum += (series[i] - mean) * (series[i + lag] - mean);
      }
      assertThat(found[lag])
          .as("lag %d", lag)
          .isCloseTo(sum / (series.length - lag) / variance, within(1e-9));
    }
  }
}
