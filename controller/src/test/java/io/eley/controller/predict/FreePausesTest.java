package io.eley.controller.predict;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.PhaseListener.Ending;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever applications do, no pause is without prefetching because of forecasts. */
class FreePausesTest {
  private static final int SERIES = 40;
  private static final long MS = Played.MS;
  private static final long STEP = 10 * MS;

  static List<Long> seeds() {
    Long one = Long.getLong("eley.test.seed");
    if (one != null) {
      return List.of(one);
    }
    long base = Long.getLong("eley.test.base", System.nanoTime());
    return java.util.stream.LongStream.range(base, base + SERIES).boxed().toList();
  }

  private record Edge(long at, String application, boolean begins) {}

  /** One to three applications of all kinds, some of which share a name in turn. */
  private static List<Edge> edges(Random random) {
    var edges = new ArrayList<Edge>();
    int applications = 1 + random.nextInt(3);
    for (int i = 0; i < applications; i++) {
      long at = 0;
      double pause = 0.05 * Math.pow(400, random.nextDouble());
      double length = 0.01 * Math.pow(1000, random.nextDouble());
      double jitter = random.nextDouble();
      for (int phase = 0; phase < 60; phase++) {
        if (random.nextInt(25) == 0) {
          pause *= random.nextBoolean() ? 3 : 0.3;
        }
        at += (long) (1e9 * pause * (1 + jitter * (2 * random.nextDouble() - 1))) + 1;
        edges.add(new Edge(at, "app" + i, true));
        at += (long) (1e9 * (random.nextInt(10) == 0 ? 0.002 : length)) + 1;
        edges.add(new Edge(at, "app" + i, false));
      }
    }
    edges.sort(Comparator.comparingLong(Edge::at));
    return edges.subList(0, Math.min(160, edges.size()));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void atLeastHalfOfEachPauseIsFree(long seed) {
    var random = new Random(seed);
    var predictor = new PhasePredictor(PredictionOptions.DEFAULT);
    long guard = PredictionOptions.DEFAULT.guard().toNanos();
    var open = new TreeSet<String>();
    long now = 0;
    for (Edge edge : edges(random)) {
      long held = 0;
      long from = now;
      for (; now < edge.at; now = Math.min(edge.at, now + STEP)) {
        if (predictor.expected(now).isPresent()) {
          held += Math.min(STEP, edge.at - now);
        }
      }
      long pause = edge.at - from;
      if (open.isEmpty()) {
        assertThat(held).as("-Deley.test.seed=%d", seed).isLessThanOrEqualTo(pause / 2 + STEP);
        assertThat(pause > 2 * guard && held >= pause)
            .as("-Deley.test.seed=%d: a pause of %d ms without prefetching", seed, pause / MS)
            .isFalse();
      } else {
        assertThat(held).as("a hold has its phase already").isZero();
      }
      predictor.advance(now);
      var phase = new Evidence(edge.application, "announced", edge.at, 1);
      if (edge.begins) {
        open.add(edge.application);
        predictor.opened(phase);
      } else {
        open.remove(edge.application);
        predictor.closed(
            phase, edge.at, random.nextInt(8) == 0 ? Ending.LEASE_EXPIRED : Ending.QUIET);
      }
    }
  }
}
