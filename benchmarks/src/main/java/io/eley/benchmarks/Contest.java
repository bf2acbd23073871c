package io.eley.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Two ways to do the same, in turns of a fifth of a second, so that both have the same share of
 * whatever else the machine does. The first turns warm up: what is compiled then costs a core.
 *
 * @param threads that do it at once
 * @param turns of each that count
 */
record Contest(int threads, int turns) {
  private static final int WARM_UP = 20;
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** One way; each thread has its own. */
  interface Way {
    void once() throws IOException;
  }

  /** Makes the way of a thread. */
  interface Ways {
    Way of(int thread) throws IOException;
  }

  /**
   * Medians over the turns.
   *
   * @param ours operations a second
   * @param limit operations a second
   * @param ratio of a turn's to those of the turn after it
   */
  record Outcome(double ours, double limit, double ratio) {}

  Outcome run(Ways ours, Ways limit) throws IOException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Way> mine = make(ours);
      List<Way> bare = make(limit);
      double[] rates = new double[turns];
      double[] limits = new double[turns];
      double[] ratios = new double[turns];
      for (int i = -WARM_UP; i < turns; i++) {
        double one = turn(pool, mine);
        double other = turn(pool, bare);
        if (i >= 0) {
          rates[i] = one;
          limits[i] = other;
          ratios[i] = one / other;
        }
      }
      return new Outcome(median(rates), median(limits), median(ratios));
    } finally {
      pool.shutdownNow();
    }
  }

  private List<Way> make(Ways ways) throws IOException {
    var made = new ArrayList<Way>();
    for (int i = 0; i < threads; i++) {
      made.add(ways.of(i));
    }
    return made;
  }

  private static double turn(ExecutorService pool, List<Way> ways) throws IOException {
    long begin = System.nanoTime();
    var counts = new ArrayList<Future<Integer>>();
    for (Way way : ways) {
      counts.add(pool.submit(() -> repeat(way, begin + TURN_NANOS)));
    }
    long sum = 0;
    for (var count : counts) {
      try {
        sum += count.get();
      } catch (ExecutionException e) {
        throw new IOException(e.getCause());
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
    return sum * 1e9 / (System.nanoTime() - begin);
  }

  private static int repeat(Way way, long end) throws IOException {
    int count = 0;
    do {
      way.once();
      count++;
    } while (System.nanoTime() < end);
    return count;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
