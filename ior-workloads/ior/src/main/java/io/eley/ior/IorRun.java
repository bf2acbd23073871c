package io.eley.ior;

import io.eley.ior.IorResult.Details;
import io.eley.ior.IorResult.Phase;
import io.eley.ior.IorResult.Removal;
import io.eley.ior.IorResult.Settings;
import io.eley.ior.IorResult.Stamp;
import io.eley.ior.IorResult.Summary;
import io.eley.ior.IorResult.Warning;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A run: for each repetition a write phase and a read phase, as asked for, each after its pause.
 * Files are removed before each write phase and after each repetition, as IOR does; neither is part
 * of a phase.
 */
final class IorRun {
  private static final int STAMPS_FROM = 3;

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

  private final IorOptions options;
  private final IorTasks tasks;
  private final TestFiles files;
  private final List<IorPhaseListener> listeners;
  private final Pause pause;
  private final IorClock clock;
  private final List<Phase> phases = new ArrayList<>();
  private final List<Warning> warnings = new ArrayList<>();
  private final List<Removal> removals = new ArrayList<>();
  private final List<Stamp> stamps = new ArrayList<>();

  /** Bytes of each operation's first phase. */
  private final Map<IorOperation, Long> aggregate = new EnumMap<>(IorOperation.class);

  private long mostTransfers = Long.MAX_VALUE;

  IorRun(
      IorOptions options,
      IorTasks tasks,
      TestFiles files,
      List<IorPhaseListener> listeners,
      Surroundings surroundings) {
    this.options = options;
    this.tasks = tasks;
    this.files = files;
    this.listeners = List.copyOf(listeners);
    this.pause = surroundings.pause();
    this.clock = surroundings.clock();
  }

  /** Time, as a run sees it. */
  record Surroundings(Pause pause, IorClock clock) {}

  /** Runs everything, or what fits before the pause says stop. Blocks. */
  IorResult run() throws IOException {
    boolean goOn = true;
    for (int iteration = 0; goOn && iteration < options.shape().repetitions(); iteration++) {
      goOn = repetition(iteration);
    }
    return new IorResult(
        phases,
        summaries(),
        warnings,
        Settings.NONE,
        new Details(removals, stamps, List.of(), List.of()));
  }

  private boolean repetition(int iteration) throws IOException {
    if (options.access().write()) {
      files.remove();
      if (!phase(IorOperation.WRITE, iteration)) {
        return false;
      }
    }
    if (options.access().read() && !phase(IorOperation.READ, iteration)) {
      return false;
    }
    if (!options.keep()) {
      long before = clock.nanos().getAsLong();
      files.remove();
      removals.add(new Removal((clock.nanos().getAsLong() - before) / 1e9, iteration));
    }
    return true;
  }

  private boolean phase(IorOperation operation, int iteration) throws IOException {
    if (!pause.pause(options.pacing().pause())) {
      return false;
    }
    listeners.forEach(l -> l.phaseBegins(operation, iteration));
    List<TaskTimes> ranks = tasks.phase(new PhaseOrder(operation, limit(operation)));
    Phase phase = PhaseMeasure.phase(options, operation, iteration, ranks);
    long bytes = PhaseMeasure.moved(options, ranks);
    listeners.forEach(l -> l.phaseEnds(operation, iteration, bytes, phase.times()));
    if (operation == IorOperation.WRITE) {
      mostTransfers = ranks.stream().mapToLong(TaskTimes::transfers).min().orElse(0);
      compare(bytes);
    }
    phases.add(phase);
    aggregate.putIfAbsent(operation, bytes);
    if (options.verbose() >= STAMPS_FROM) {
      stamps.addAll(PhaseMeasure.stamps(operation, iteration, ranks, clock));
    }
    return true;
  }

  private long limit(IorOperation operation) {
    return operation == IorOperation.READ ? mostTransfers : Long.MAX_VALUE;
  }

  /** IOR's own check: what was meant, what the file system says, and what went through. */
  private void compare(long moved) throws IOException {
    long expected = options.totalBytes();
    long found = files.size();
    if (moved == expected && found == expected) {
      return;
    }
    warn("Expected aggregate file size       = " + expected);
    warn("Stat() of aggregate file size      = " + found);
    warn("Using actual aggregate bytes moved = " + moved);
    if (options.pacing().stonewall() > 0) {
      warn("Maybe caused by deadlineForStonewalling");
    }
  }

  private void warn(String text) {
    warnings.add(new Warning(phases.size(), text));
  }

  private List<Summary> summaries() {
    var summaries = new ArrayList<Summary>();
    aggregate.forEach(
        (operation, bytes) ->
            summaries.add(
                PhaseMeasure.summary(
                    options,
                    phases.stream().filter(p -> p.operation().equals(operation.label())).toList(),
                    bytes)));
    return summaries;
  }
}
