package io.eley.controller.predict;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Learns from one application's phases when the next will begin.
 *
 * <p>Ways to predict the next onset: so long after the last phase's end (applications that compute,
 * or sleep, for a time), or so long after the begin of the last phase, or of the one two, three or
 * four before (applications with a clock, and bursts that repeat in groups). The way that would
 * have been worth most so far is taken, see {@link Track}. Where none explains the series, several
 * applications may share the name: {@link Chains} looks for each of them.
 *
 * <p>Each forecast is scored: 1 if the phase began while it was held for, less twice the part of
 * the pause that was held. While the last {@value #SCORED} cost more than they spared the rhythm is
 * demoted: it goes on forecasting, and being scored, for itself, until their mean is {@value
 * #PROMOTED}.
 *
 * <p>Not thread-safe.
 */
final class Rhythm {
  private static final int GROUPS = 4;
  private static final int KEPT_PHASES = 32;

  /** So many phases in a row show that a rhythm has changed. */
  private static final int REPEATS = 2;

  private static final int SCORED = 8;
  private static final int LEAST_SCORED = 4;

  /** What the part of a pause that is held costs, where a covered phase is worth 1. */
  private static final double COST = 2;

  /** The mean score from which on a demoted rhythm is acted upon again. */
  private static final double PROMOTED = 0.25;

  /** A way of more confidence explains the whole series. */
  private static final double SURE = 0.65;

  /** Shorter phases are rehearsals, or over before anybody holds: nothing is learned from them. */
  private static final long SHORTEST = 100_000_000;

  /** After so many periods without a phase the application counts as gone. */
  private static final int STILL_THERE = 3;

  private record Phase(long begin, long end) {}

  private final PredictionOptions options;
  private final String application;
  private final Past past;

  /** The last phases, the newest first. */
  private final Deque<Phase> phases = new ArrayDeque<>();

  /** How long after its begin a phase is reported. */
  private final Track delays = new Track(REPEATS);

  private final Deque<Double> scores = new ArrayDeque<>();
  private boolean demoted;

  /** Whether one way explained the series when the last phase ended. */
  private boolean explained;

  private long begin;
  private long delay;
  private boolean inPhase;
  private Optional<Forecast> forecast = Optional.empty();

  /** What an earlier run of the same signature was like. */
  record Past(Track afterEnd, Track lengths, List<Track> afterBegins) {
    Past() {
      this(new Track(REPEATS), new Track(REPEATS), tracks());
    }

    private static List<Track> tracks() {
      var tracks = new ArrayList<Track>();
      for (int i = 0; i < GROUPS; i++) {
        tracks.add(new Track(i + REPEATS));
      }
      return tracks;
    }
  }

  /** The outcome of a forecast. */
  enum Outcome {
    /** The phase came while the permit was closed for it. */
    HIT,
    /** The phase came before the permit was closed. */
    EARLY,
    /** The phase did not come. */
    ABSENT
  }

  /**
   * A rhythm without phases of its own.
   *
   * @param past shared by all runs of the signature
   */
  Rhythm(String application, PredictionOptions options, Past past) {
    this.application = application;
    this.options = options;
    this.past = past;
  }

  /** Whether a phase of this length says anything about the next one. */
  static boolean teaches(long length) {
    return length >= SHORTEST;
  }

  /**
   * Notes that a phase has begun.
   *
   * @param at when it began
   * @param now when that is reported
   */
  void opened(long at, long now) {
    begin = at;
    delay = Math.max(0, now - at);
    inPhase = true;
  }

  /** The phase that was reported was none of this application, or has no end that is known. */
  void withdraw() {
    inPhase = false;
    forecast = Optional.empty();
  }

  /**
   * Notes that the phase is over; returns the outcome of its forecast, if there was one. As if a
   * phase that is too short had not been.
   *
   * @param at when it ended
   * @param now when that is reported
   */
  Optional<Outcome> closed(long at, long now) {
    boolean was = inPhase;
    inPhase = false;
    if (!was || !teaches(at - begin)) {
      return Optional.empty();
    }
    Optional<Outcome> outcome = forecast.map(f -> score(f, begin));
    learn(new Phase(begin, at));
    long after = Math.max(at, now);
    forecast = way(after);
    explained = forecast.filter(f -> f.confidence() > SURE).isPresent();
    if (!explained) {
      forecast = chained(after).or(() -> forecast);
    }
    return outcome;
  }

  private void learn(Phase phase) {
    delays.add(delay);
    past.lengths.add(phase.end - phase.begin);
    if (!phases.isEmpty()) {
      past.afterEnd.add(phase.begin - phases.getFirst().end);
    }
    int back = 0;
    for (Phase before : phases) {
      if (back < GROUPS) {
        past.afterBegins.get(back++).add(phase.begin - before.begin);
      }
    }
    phases.addFirst(phase);
    if (phases.size() > KEPT_PHASES) {
      phases.removeLast();
    }
  }

  /** Returns once that the forecast phase has not come. */
  Optional<Outcome> overdue(long now) {
    if (inPhase || forecast.isEmpty() || now - forecast.get().lateUntil() <= 0) {
      return Optional.empty();
    }
    Forecast missed = forecast.get();
    long pause = missed.onset() - phases.getFirst().end;
    forecast = way(now).filter(f -> f.onset() - missed.onset() > pause / 2);
    if (!explained) {
      forecast = chained(now).or(() -> forecast);
    }
    return Optional.of(score(missed, now));
  }

  /** The next phase, when it is to be acted upon now. */
  Optional<Forecast> expected(long now) {
    return forecast().filter(f -> f.covers(now));
  }

  /** The next phase, however far away. */
  Optional<Forecast> forecast() {
    return demoted || inPhase ? Optional.empty() : forecast;
  }

  /** The part of the time that phases take; 0 while that is not known, or long ago. */
  double duty(long now) {
    Track period = past.afterBegins.get(0);
    return phases.isEmpty()
            || period.count() < options.leastCycles()
            || now - phases.getFirst().end > STILL_THERE * period.median()
        ? 0
        : Math.min(1, (double) past.lengths.median() / Math.max(1, period.median()));
  }

  /** Scores a forecast by the phase that began, or by the present when none has. */
  private Outcome score(Forecast f, long at) {
    boolean absent = at - f.lateUntil() > 0;
    boolean early = at - f.guardFrom() < 0;
    long until = absent ? f.lateUntil() : at;
    long pause = Math.max(1, (absent ? f.onset() : at) - phases.getFirst().end);
    double held = (double) Math.max(0, until - f.guardFrom()) / pause;
    scores.add((absent || early ? 0 : 1) - COST * held);
    if (scores.size() > SCORED) {
      scores.remove();
    }
    double mean = scores.stream().mapToDouble(Double::doubleValue).average().orElse(1);
    demoted = demoted ? mean < PROMOTED : scores.size() >= LEAST_SCORED && mean <= 0;
    return absent ? Outcome.ABSENT : early ? Outcome.EARLY : Outcome.HIT;
  }

  private record Way(Track track, long anchor) {}

  /** What the best way foresees. */
  private Optional<Forecast> way(long now) {
    var ways = new ArrayList<Way>();
    ways.add(new Way(past.afterEnd, phases.getFirst().end));
    int back = 0;
    for (Phase each : phases) {
      if (back < GROUPS) {
        ways.add(new Way(past.afterBegins.get(back++), each.begin));
      }
    }
    ways.removeIf(w -> w.track.count() < options.leastCycles());
    return ways.stream()
        .flatMap(w -> next(w, now).stream())
        .max(Comparator.comparingDouble(Forecast::confidence));
  }

  /** The soonest of what chains foresee: each may be another application's. */
  private Optional<Forecast> chained(long now) {
    if (phases.size() <= options.leastCycles()) {
      return Optional.empty();
    }
    long[] begins = phases.stream().mapToLong(Phase::begin).toArray();
    return Chains.of(begins, now, options.guard().toNanos()).stream()
        .flatMap(c -> next(new Way(c.distances(), c.anchor()), now).stream())
        .min(Comparator.comparingLong(Forecast::onset));
  }

  private Optional<Forecast> next(Way way, long now) {
    long paused = phases.getFirst().end - way.anchor;
    long late = delays.quantile(0.9);
    return way.track
        .window(new Track.Question(now - way.anchor, paused, options.guard().toNanos()))
        .filter(w -> w.worth() >= options.leastConfidence())
        .map(
            w ->
                new Forecast(
                    application,
                    way.anchor + w.from(),
                    way.anchor + w.onset(),
                    way.anchor + w.until() + late,
                    past.lengths.median(),
                    w.worth()));
  }
}
