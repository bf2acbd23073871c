package io.eley.ior;

import io.eley.ior.IorResult.Phase;
import io.eley.ior.IorResult.Rates;
import io.eley.ior.IorResult.Stamp;
import io.eley.ior.IorResult.Stonewall;
import io.eley.ior.IorResult.Summary;
import io.eley.ior.IorResult.Times;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.statistics.descriptive.DoubleStatistics;
import org.apache.commons.statistics.descriptive.Statistic;
import org.apache.commons.statistics.descriptive.StatisticsConfiguration;

/**
 * IOR's arithmetic. Each part of a phase lasts from the first task's start to the last task's end,
 * and the bandwidth is all bytes by the time from the first open to the last close: two tasks that
 * write 3 MiB each, and open at 0 and 1 s and close at 5 and 6 s, make 6 MiB / 6 s = 1 MiB/s.
 */
final class PhaseMeasure {
  private static final double KIB = 1024;
  private static final double MIB = KIB * KIB;
  private static final double NANOS = 1e9;

  private PhaseMeasure() {}

  static Phase phase(
      IorOptions options, IorOperation operation, int iteration, List<TaskTimes> ranks) {
    var times =
        new Times(
            seconds(ranks, TaskTimes::openStart, TaskTimes::openEnd),
            seconds(ranks, TaskTimes::transferStart, TaskTimes::transferEnd),
            seconds(ranks, TaskTimes::closeStart, TaskTimes::closeEnd),
            seconds(ranks, TaskTimes::openStart, TaskTimes::closeEnd));
    long transfers = transfers(ranks);
    double busy = ranks.stream().mapToLong(TaskTimes::busy).sum() / NANOS;
    return new Phase(
        operation.label(),
        per(moved(options, ranks) / MIB, times.total()),
        per((double) transfers, times.transfer()),
        per(busy, (double) transfers),
        options.shape().block().bytes() / KIB,
        options.shape().transfer().bytes() / KIB,
        times,
        iteration);
  }

  /** Bytes that went through. */
  static long moved(IorOptions options, List<TaskTimes> ranks) {
    return transfers(ranks) * options.shape().transfer().bytes();
  }

  /**
   * All phases of an operation.
   *
   * @param bytes moved in its first phase
   */
  static Summary summary(IorOptions options, List<Phase> phases, long bytes) {
    var rates =
        DoubleStatistics.builder(
                Statistic.MAX, Statistic.MIN, Statistic.MEAN, Statistic.STANDARD_DEVIATION)
            .setConfiguration(StatisticsConfiguration.withDefaults().withBiased(true))
            .build(phases.stream().mapToDouble(Phase::mebibytesPerSecond).toArray());
    return new Summary(
        phases.get(0).operation(),
        new Rates(
            rates.getAsDouble(Statistic.MAX),
            rates.getAsDouble(Statistic.MIN),
            rates.getAsDouble(Statistic.MEAN),
            rates.getAsDouble(Statistic.STANDARD_DEVIATION)),
        phases.stream().mapToDouble(p -> p.times().total()).average().orElseThrow(),
        options.shape().tasks(),
        bytes / MIB,
        Stonewall.NONE);
  }

  /** Times of day of all tasks. */
  static List<Stamp> stamps(
      IorOperation operation, int iteration, List<TaskTimes> ranks, IorClock clock) {
    return IntStream.range(0, ranks.size())
        .boxed()
        .flatMap(
            rank -> {
              TaskTimes t = ranks.get(rank);
              var stamp = new Stamper(operation.label(), iteration, rank, clock);
              return Stream.of(
                  stamp.at("open start", t.openStart()),
                  stamp.at("open stop", t.openEnd()),
                  stamp.at("start", t.transferStart()),
                  stamp.at("stop", t.transferEnd()),
                  stamp.at("close start", t.closeStart()),
                  stamp.at("close stop", t.closeEnd()));
            })
        .toList();
  }

  private record Stamper(String operation, int iteration, int rank, IorClock clock) {
    Stamp at(String event, long reading) {
      return new Stamp(iteration, rank, operation, event, clock.epochMicros(reading));
    }
  }

  private static long transfers(List<TaskTimes> ranks) {
    return ranks.stream().mapToLong(TaskTimes::transfers).sum();
  }

  private static double seconds(
      List<TaskTimes> ranks, ToLongFunction<TaskTimes> start, ToLongFunction<TaskTimes> end) {
    long first = ranks.stream().mapToLong(start).min().orElseThrow();
    long last = ranks.stream().mapToLong(end).max().orElseThrow();
    return (last - first) / NANOS;
  }

  /** Zero by zero is zero here: a phase too short for the clock moved nothing measurable. */
  private static double per(double amount, double by) {
    return by > 0 ? amount / by : 0;
  }
}
