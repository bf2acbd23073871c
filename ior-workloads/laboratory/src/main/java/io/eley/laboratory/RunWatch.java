package io.eley.laboratory;

import io.eley.bb.api.error.EleyException;
import io.eley.emulated.pfs.PfsEvent;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a run for whoever watches it, at most twice a second however often it is asked to: what
 * shows a run must not be part of its load. For the thread that makes the run; how far the map
 * phase is may be told by another.
 */
final class RunWatch {
  private static final long LOOK_MICROS = TimeUnit.MILLISECONDS.toMicros(500);
  private static final Duration WINDOW = Duration.ofSeconds(1);

  private final Laboratory laboratory;
  private final ExperimentClock clock;
  private final RunSight.Viewer viewer;
  private volatile double part;
  private String stage = "";
  private long looked = Long.MIN_VALUE / 2;
  private long sequence;
  private RateWindow window = new RateWindow(WINDOW);

  RunWatch(Laboratory laboratory, ExperimentClock clock, RunSight.Viewer viewer) {
    this.laboratory = laboratory;
    this.clock = clock;
    this.viewer = viewer;
  }

  /** Begins another stage, and shows it. */
  void stage(String name, Laboratory.@Nullable Hpc hpc) throws EleyException {
    stage = name;
    show(hpc);
  }

  /** Notes what the origin has recorded so far: rates are of what comes after. */
  void from(long number) {
    sequence = number;
    window = new RateWindow(WINDOW);
  }

  /** Notes how far the work is, 0 to 1. On any thread. */
  void part(double done) {
    part = done;
  }

  /** Shows the run, when it has not been shown for half a second. */
  void look(Laboratory.@Nullable Hpc hpc) throws EleyException {
    if (clock.epochMicros() - looked >= LOOK_MICROS) {
      show(hpc);
    }
  }

  private void show(Laboratory.@Nullable Hpc hpc) throws EleyException {
    looked = clock.epochMicros();
    viewer.sees(
        new RunSight(
            stage.contains("%") ? String.format(Locale.ROOT, stage, 100 * part) : stage,
            Math.max(0, Math.min(1, part)),
            hpc == null ? 0 : hpc.phases().size(),
            hpc != null && hpc.inPhase(),
            hpc == null || !laboratory.tellsWhileItMoves() ? null : rates()));
  }

  private RunSight.Rates rates() throws EleyException {
    var trace = laboratory.traceFrom(sequence);
    sequence = trace.next();
    for (PfsEvent event : trace.events()) {
      window.add(event.epochMicros(), event.bytes(), RunProtocol.HPC_CAUSE.equals(event.cause()));
    }
    return window.at(clock.epochMicros());
  }
}
