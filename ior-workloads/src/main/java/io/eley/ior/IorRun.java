package io.eley.ior;

import io.eley.ior.IorResult.Phase;
import io.eley.ior.IorResult.Settings;
import io.eley.ior.IorResult.Summary;
import io.eley.ior.IorResult.Times;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.apache.commons.statistics.descriptive.DoubleStatistics;
import org.apache.commons.statistics.descriptive.Statistic;

/**
 * A run: for each repetition a write phase and a read phase, as asked for, each after its pause.
 * Times are IOR's: from the first task's start to the last task's end of each part.
 */
final class IorRun {
  /** Waits; injected so that tests do not. */
  @FunctionalInterface
  interface Pause {
    /**
     * Waits.
     *
     * @return false when the run should end instead of going on
     */
    boolean pause(Duration length);
  }

  private static final double KIB = 1024;
  private static final double MIB = KIB * KIB;
  private static final double NANOS = 1e9;

  private final IorOptions options;
  private final IorTasks tasks;
  private final List<PhaseListener> listeners;
  private final Pause pause;
  private final List<Phase> phases = new ArrayList<>();

  IorRun(IorOptions options, IorTasks tasks, List<PhaseListener> listeners, Pause pause) {
    this.options = options;
    this.tasks = tasks;
    this.listeners = List.copyOf(listeners);
    this.pause = pause;
  }

  /** Runs everything. Blocks. Files are the caller's to remove. */
  IorResult run() throws IOException {
    for (int iteration = 0; iteration < options.repetitions(); iteration++) {
      boolean goOn =
          (!options.access().write() || phase(IorOperation.WRITE, iteration))
              && (!options.access().read() || phase(IorOperation.READ, iteration));
      if (!goOn) {
        break;
      }
    }
    return new IorResult(phases, summaries(), List.of(), new Settings(Map.of()));
  }

  private boolean phase(IorOperation operation, int iteration) throws IOException {
    if (!pause.pause(options.delay())) {
      return false;
    }
    listeners.forEach(l -> l.phaseBegins(operation, iteration));
    Phase phase = measured(operation, iteration, tasks.phase(operation));
    phases.add(phase);
    listeners.forEach(l -> l.phaseEnds(operation, iteration, options.totalBytes(), phase.times()));
    return true;
  }

  private Phase measured(IorOperation operation, int iteration, List<TaskTimes> ranks) {
    long openStart = ranks.stream().mapToLong(TaskTimes::openStart).min().orElseThrow();
    long openEnd = ranks.stream().mapToLong(TaskTimes::openEnd).max().orElseThrow();
    long transferStart = ranks.stream().mapToLong(TaskTimes::openEnd).min().orElseThrow();
    long transferEnd = ranks.stream().mapToLong(TaskTimes::transferEnd).max().orElseThrow();
    long closeStart = ranks.stream().mapToLong(TaskTimes::transferEnd).min().orElseThrow();
    long closeEnd = ranks.stream().mapToLong(TaskTimes::closeEnd).max().orElseThrow();
    long transfers = ranks.stream().mapToLong(TaskTimes::transfers).sum();
    long busy = ranks.stream().mapToLong(TaskTimes::busy).sum();
    var times =
        new Times(
            (openEnd - openStart) / NANOS,
            (transferEnd - transferStart) / NANOS,
            (closeEnd - closeStart) / NANOS,
            (closeEnd - openStart) / NANOS);
    return new Phase(
        operation.label(),
        options.totalBytes() / MIB / times.total(),
        transfers / times.transfer(),
        busy / NANOS / transfers,
        options.block().bytes() / KIB,
        options.transfer().bytes() / KIB,
        times,
        iteration);
  }

  private List<Summary> summaries() {
    var summaries = new ArrayList<Summary>();
    for (var operation : IorOperation.values()) {
      var of = phases.stream().filter(p -> p.operation().equals(operation.label())).toList();
      if (!of.isEmpty()) {
        summaries.add(summary(operation, of));
      }
    }
    return summaries;
  }

  private Summary summary(IorOperation operation, List<Phase> of) {
    var rates =
        DoubleStatistics.builder(
                Statistic.MAX, Statistic.MIN, Statistic.MEAN, Statistic.STANDARD_DEVIATION)
            .setConfiguration(
                org.apache.commons.statistics.descriptive.StatisticsConfiguration.withDefaults()
                    .withBiased(true))
            .build(of.stream().mapToDouble(Phase::mebibytesPerSecond).toArray());
    double seconds = of.stream().mapToDouble(p -> p.times().total()).average().orElseThrow();
    return new Summary(
        operation.label(),
        rates.getAsDouble(Statistic.MAX),
        rates.getAsDouble(Statistic.MIN),
        rates.getAsDouble(Statistic.MEAN),
        rates.getAsDouble(Statistic.STANDARD_DEVIATION),
        seconds,
        options.tasks(),
        OptionalDouble.empty());
  }
}
