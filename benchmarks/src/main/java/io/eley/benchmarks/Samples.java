package io.eley.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.results.RunResult;

/** What was measured: for each benchmark one {@link Sample} a round. */
final class Samples {
  private final Map<String, List<Sample>> rounds = new TreeMap<>();

  /** Seconds an operation took in one round. */
  record Sample(double mean, double median, double p99) {}

  void add(RunResult result) {
    String full = result.getParams().getBenchmark();
    var statistics = result.getPrimaryResult().getStatistics();
    rounds
        .computeIfAbsent(full.substring("io.eley.benchmarks.".length()), name -> new ArrayList<>())
        .add(
            new Sample(
                statistics.getMean() / 1e6,
                statistics.getPercentile(50) / 1e6,
                statistics.getPercentile(99) / 1e6));
  }

  /** The median over the rounds. */
  double median(String benchmark, ToDoubleFunction<Sample> of) {
    return median(of(benchmark).stream().mapToDouble(of).toArray());
  }

  /**
   * How near ours comes to the limit: the median over the rounds of the ratio of the rates within
   * one round, so that a disturbance that lasts for a round weighs on both.
   */
  double ratio(Pair pair) {
    var ours = of(pair.name());
    var raw = of(pair.limit());
    var ratios = new double[Math.min(ours.size(), raw.size())];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = raw.get(i).mean() / ours.get(i).mean();
    }
    return median(ratios);
  }

  private List<Sample> of(String benchmark) {
    return rounds.getOrDefault(benchmark, List.of());
  }

  private static double median(double[] values) {
    if (values.length == 0) {
      return Double.NaN;
    }
    double[] sorted = values.clone();
    java.util.Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
