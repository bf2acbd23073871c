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
 * four before (applications with a clock, and bursts that repeat in groups). The way that was least
 * uncertain so far is taken. Its confidence is how small that uncertainty is against the period,
 * and the height of the series' autocorrelation (see {@link Periodicity}) where that finds a
 * period.
 *
 * <p>Each forecast is scored. While half or more of the last {@value #SCORED} were wrong the rhythm
 * is demoted: it goes on forecasting, and being scored, for itself, until {@value #PROMOTED} of
 * them are right.
 *
 * <p>Not thread-safe.
 */
final class Rhythm {
  private static final int GROUPS = 4;
  private static final int KEPT_PHASES = 64;
  private static final int SCORED = 8;
  private static final int LEAST_SCORED = 4;
  private static final int PROMOTED = 6;
  private static final int BINS_OF_PERIOD = 32;
  private static final int MOST_BINS = 2048;

  /** After so many periods without a phase the application counts as gone. */
  private static final int STILL_THERE = 3;

  private record Phase(long begin, long end) {}

  private final PredictionOptions options;
  private final String application;
  private final Deque<Phase> phases = new ArrayDeque<>();
  private final ActivitySeries bytes = new ActivitySeries();
  private final ActivitySeries activity = new ActivitySeries();
  private final Track afterEnd;
  private final Track lengths;

  /** How long after its begin a phase is reported. */
  private final Track delays = new Track();

  private final List<Track> afterBegins;
  private final Deque<Boolean> scores = new ArrayDeque<>();
  private boolean demoted;
  private long begin;
  private boolean inPhase;
  private Optional<Forecast> forecast = Optional.empty();
  private double similarity = -1;

  /** What an earlier run of the same signature was like. */
  record Past(Track afterEnd, Track lengths, List<Track> afterBegins) {
    Past() {
      this(new Track(), new Track(), tracks());
    }

    private static List<Track> tracks() {
      var tracks = new ArrayList<Track>();
      for (int i = 0; i < GROUPS; i++) {
        tracks.add(new Track());
      }
      return tracks;
    }
  }

  /**
   * A rhythm without phases of its own.
   *
   * @param past shared by all runs of the signature
   */
  Rhythm(String application, PredictionOptions options, Past past) {
    this.application = application;
    this.options = options;
    this.afterEnd = past.afterEnd();
    this.lengths = past.lengths();
    this.afterBegins = past.afterBegins();
  }

  void addBytes(long from, long to, long count) {
    bytes.add(from, to, (double) count);
  }

  /**
   * Notes that a phase has begun; returns the outcome of its forecast, if there was one.
   *
   * @param at when it began
   * @param now when that is reported
   */
  Optional<Outcome> opened(long at, long now) {
    delays.add(Math.max(0, now - at));
    Optional<Outcome> outcome = forecast.map(f -> outcome(f, at));
    outcome.ifPresent(o -> score(o == Outcome.HIT));
    forecast = Optional.empty();
    if (!phases.isEmpty()) {
      afterEnd.add(at - phases.getLast().end);
      var newestFirst = new ArrayList<Phase>();
      phases.descendingIterator().forEachRemaining(newestFirst::add);
      for (int i = 0; i < Math.min(GROUPS, newestFirst.size()); i++) {
        afterBegins.get(i).add(at - newestFirst.get(i).begin);
      }
    }
    begin = at;
    inPhase = true;
    return outcome;
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

  private static Outcome outcome(Forecast f, long at) {
    return at - f.guardFrom() >= 0 ? Outcome.HIT : Outcome.EARLY;
  }

  void closed(long at) {
    if (!inPhase) {
      return;
    }
    inPhase = false;
    long end = Math.max(at, begin + 1);
    phases.add(new Phase(begin, end));
    if (phases.size() > KEPT_PHASES) {
      phases.remove();
    }
    lengths.add(end - begin);
    activity.add(begin, end, (double) (end - begin));
    similarity = similarity(end);
    forecast = next(end);
  }

  /** Returns once that the forecast phase has not come. */
  Optional<Outcome> overdue(long now) {
    if (forecast.isEmpty() || now - forecast.get().lateUntil() <= 0) {
      return Optional.empty();
    }
    forecast = Optional.empty();
    score(false);
    return Optional.of(Outcome.ABSENT);
  }

  /** The next phase, when it is to be acted upon now. */
  Optional<Forecast> expected(long now) {
    return demoted ? Optional.empty() : forecast.filter(f -> f.covers(now));
  }

  /** The next phase, however far away. */
  Optional<Forecast> forecast() {
    return demoted ? Optional.empty() : forecast;
  }

  /** The part of the time that phases take; 0 while that is not known, or long ago. */
  double duty(long now) {
    Track period = afterBegins.get(0);
    return phases.isEmpty()
            || period.count() < options.leastCycles()
            || now - phases.getLast().end > STILL_THERE * period.median()
        ? 0
        : Math.min(1, (double) lengths.median() / Math.max(1, period.median()));
  }

  private void score(boolean right) {
    scores.add(right);
    if (scores.size() > SCORED) {
      scores.remove();
    }
    long hits = scores.stream().filter(s -> s).count();
    if (demoted) {
      demoted = hits < PROMOTED;
    } else {
      demoted = scores.size() >= LEAST_SCORED && 2 * hits <= scores.size();
    }
  }

  private record Way(Track track, long from) {}

  private Optional<Forecast> next(long now) {
    var ways = new ArrayList<Way>();
    ways.add(new Way(afterEnd, now));
    var newestFirst = new ArrayList<Phase>();
    phases.descendingIterator().forEachRemaining(newestFirst::add);
    for (int i = 0; i < Math.min(GROUPS, newestFirst.size()); i++) {
      ways.add(new Way(afterBegins.get(i), newestFirst.get(i).begin));
    }
    return ways.stream()
        .filter(w -> w.track.count() >= options.leastCycles())
        .filter(w -> w.from + w.track.median() - now > 0)
        .min(Comparator.comparingLong(w -> w.track.spread()))
        .flatMap(w -> forecast(w, now));
  }

  private Optional<Forecast> forecast(Way way, long now) {
    long onset = way.from + way.track.median();
    long cycle = onset - phases.getLast().begin;
    double regularity = Math.max(0, 1 - (double) way.track.spread() / Math.max(1, cycle));
    double confidence = similarity < 0 ? regularity : Math.sqrt(regularity * similarity);
    long guard = options.guard().toNanos();
    return confidence < options.leastConfidence()
        ? Optional.empty()
        : Optional.of(
            new Forecast(
                application,
                Math.max(now, onset - way.track.early() - guard),
                onset,
                onset + way.track.late() + guard + delays.most(),
                lengths.median(),
                confidence));
  }

  /** The similarity of the last cycles with each other; negative when there are too few cycles. */
  private double similarity(long now) {
    Track period = afterBegins.get(0);
    if (phases.size() < 4 || period.count() == 0) {
      return -1;
    }
    long bin = Math.max(1, period.median() / BINS_OF_PERIOD);
    long from = Math.max(phases.getFirst().begin, now - MOST_BINS * bin);
    double[] series = (bytes.isEmpty() ? activity : bytes).bins(from, now, bin);
    return Periodicity.of(series).map(Periodicity.Period::confidence).orElse(-1.0);
  }
}
