package io.eley.controller.predict;

import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.PhaseListener.Ending;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Phases that are played to a predictor in steps of virtual time, and what came of its holds. */
final class Played {
  static final long MS = 1_000_000;
  static final long SECOND = 1000 * MS;
  private static final long STEP = 20 * MS;

  private final PhasePredictor predictor;
  private final String application;
  private long now;

  /** A phase, in nanoseconds. */
  record Phase(long begin, long end) {}

  /**
   * What holds were good for.
   *
   * @param covered phases that began while prefetching was held for them
   * @param held nanoseconds in pauses for which prefetching was held
   * @param longestPauseHeld the longest pause that was held from its begin to its end
   * @param mostHeld the largest part of a pause that was held, 0 to 1
   */
  record Outcome(
      int phases, int covered, long held, long pauses, long longestPauseHeld, double mostHeld) {
    double heldPart() {
      return (double) held / Math.max(1, pauses);
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%d of %d covered, held %.1f %% of the pauses",
          covered,
          phases,
          100 * heldPart());
    }
  }

  Played(PhasePredictor predictor, String application) {
    this(predictor, application, 0);
  }

  Played(PhasePredictor predictor, String application, long now) {
    this.predictor = predictor;
    this.application = application;
    this.now = now;
  }

  long now() {
    return now;
  }

  /** Plays phases that do not overlap, in order; the pause before each belongs to it. */
  Outcome play(List<Phase> phases) {
    var sum = new Outcome(0, 0, 0, 0, 0, 0);
    for (Phase each : phases) {
      long from = now;
      long held = 0;
      boolean holds = false;
      for (; now < each.begin; now = Math.min(each.begin, now + STEP)) {
        holds = predictor.expected(now).isPresent();
        held += holds ? Math.min(STEP, each.begin - now) : 0;
      }
      long pause = each.begin - from;
      sum =
          new Outcome(
              sum.phases + 1,
              sum.covered + (holds ? 1 : 0),
              sum.held + held,
              sum.pauses + pause,
              held >= pause ? Math.max(sum.longestPauseHeld, pause) : sum.longestPauseHeld,
              pause > 0 ? Math.max(sum.mostHeld, (double) held / pause) : sum.mostHeld);
      var evidence = new Evidence(application, "announced", each.begin, 1);
      predictor.advance(now);
      predictor.opened(evidence);
      now = Math.max(now, each.end);
      predictor.advance(now);
      predictor.closed(evidence, each.end, Ending.ANNOUNCED);
    }
    return sum;
  }

  /** Lets time pass without a phase; returns how long prefetching was held meanwhile. */
  long idle(long nanos) {
    long held = 0;
    for (long until = now + nanos; now < until; now += STEP) {
      held += predictor.expected(now).isPresent() ? STEP : 0;
    }
    return held;
  }

  /** Phases after pauses that vary by a part of themselves, from a time on; in seconds. */
  static List<Phase> sleeping(
      long from, int count, double pause, double length, double jitter, Random r) {
    var phases = new ArrayList<Phase>();
    long at = from;
    for (int i = 0; i < count; i++) {
      long begin = at + (long) (SECOND * pause * (1 + jitter * (2 * r.nextDouble() - 1)));
      at = begin + (long) (SECOND * length * (1 + jitter / 4 * (2 * r.nextDouble() - 1)));
      phases.add(new Phase(begin, at));
    }
    return phases;
  }

  /** Phases by a clock, each off by at most a part of the period; in seconds. */
  static List<Phase> clocked(
      long from, int count, double period, double length, double jitter, Random r) {
    var phases = new ArrayList<Phase>();
    for (int i = 1; i <= count; i++) {
      double off = jitter * (2 * r.nextDouble() - 1);
      long begin = from + (long) (SECOND * period * (i + off));
      phases.add(new Phase(begin, begin + (long) (SECOND * length)));
    }
    return phases;
  }

  /** Phases of two applications as somebody sees them who cannot tell whose they are. */
  static List<Phase> merged(List<Phase> one, List<Phase> other) {
    var all = new ArrayList<>(one);
    all.addAll(other);
    all.sort(Comparator.comparingLong(Phase::begin));
    var merged = new ArrayList<Phase>();
    for (Phase each : all) {
      int last = merged.size() - 1;
      if (last >= 0 && each.begin <= merged.get(last).end) {
        long end = Math.max(merged.get(last).end, each.end);
        merged.set(last, new Phase(merged.get(last).begin, end));
      } else {
        merged.add(each);
      }
    }
    return merged;
  }
}
