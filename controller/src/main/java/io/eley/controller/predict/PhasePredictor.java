package io.eley.controller.predict;

import io.eley.bb.api.RecentMap;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.PhaseListener;
import io.eley.prefetcher.control.AloneLengths;
import io.eley.prefetcher.control.PhaseEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Forecasts each application's next phase from its own past, and from that of earlier runs with the
 * same signature: its name up to the first {@code #}, after which a source puts what is new with
 * each run, such as a job's number.
 *
 * <p>Not thread-safe: one thread owns it. Time is handed in.
 */
public final class PhasePredictor implements PhaseListener {
  /**
   * How many applications are remembered; one more, and the one that was quiet for longest is
   * forgotten.
   */
  private static final int APPLICATIONS = 1000;

  /** Phases further apart than this belong to two runs. */
  private static final Duration ONE_RUN = Duration.ofHours(1);

  private final PredictionOptions options;
  private final Map<String, Rhythm> rhythms = new RecentMap<>(APPLICATIONS);
  private final Map<String, Rhythm.Past> pasts = new RecentMap<>(APPLICATIONS);
  private final Set<String> open = new HashSet<>();

  /** Forecasts that somebody else has made. */
  private List<Forecast> told = List.of();

  private long heardNow;

  /**
   * Since when neither a phase nor a hold for a forecast has kept prefetching back, at the earliest
   * since time was first said here: clocks begin anywhere. Empty before that.
   */
  private OptionalLong freeSince = OptionalLong.empty();

  private OptionalLong heldSince = OptionalLong.empty();
  private Scores scores = new Scores(0, 0, 0);

  /**
   * How forecasts turned out since the start; those of demoted rhythms count, too.
   *
   * @param hits phases that came within the guard
   * @param early phases that came before it
   * @param absent phases that did not come
   */
  public record Scores(int hits, int early, int absent) {
    private Scores and(Rhythm.Outcome outcome) {
      return switch (outcome) {
        case HIT -> new Scores(hits + 1, early, absent);
        case EARLY -> new Scores(hits, early + 1, absent);
        case ABSENT -> new Scores(hits, early, absent + 1);
      };
    }
  }

  /** A predictor that knows no application. */
  public PhasePredictor(PredictionOptions options) {
    this.options = options;
  }

  /** Learns from earlier runs, the oldest phase first. */
  public void learn(List<PhaseEntry> entries) {
    var last = new HashMap<String, PhaseEntry>();
    for (PhaseEntry entry : entries) {
      if (!teaches(entry)) {
        continue;
      }
      Rhythm.Past past = past(entry.application());
      past.lengths().add(entry.length().toNanos());
      PhaseEntry before = last.put(entry.application(), entry);
      if (before != null) {
        Instant end = before.began().plus(before.length());
        Duration pause = Duration.between(end, entry.began());
        if (!pause.isNegative() && pause.compareTo(ONE_RUN) < 0) {
          past.afterEnd().add(pause.toNanos());
          past.afterBegins().get(0).add(Duration.between(before.began(), entry.began()).toNanos());
        }
      }
    }
  }

  /** Whoever had no name in an earlier run may be anybody in this one. */
  private static boolean teaches(PhaseEntry entry) {
    return entry.whole()
        && !entry.application().equals(Evidence.SOMEBODY)
        && Rhythm.teaches(entry.length().toNanos());
  }

  private Rhythm.Past past(String application) {
    return pasts.computeIfAbsent(AloneLengths.signature(application), s -> new Rhythm.Past());
  }

  private Rhythm rhythm(String application) {
    return rhythms.computeIfAbsent(application, a -> new Rhythm(a, options, past(a)));
  }

  /**
   * Takes what somebody else forecasts now, instead of what he did before. It is acted upon like
   * our own forecasts, and under the same bounds; he scores it himself.
   */
  public void tell(List<Forecast> forecasts) {
    told = options.enabled() ? List.copyOf(forecasts) : List.of();
  }

  /** Sets the time at which whatever is observed from now on is observed. */
  public void advance(long now) {
    heardNow = now;
    free(now);
  }

  private long free(long now) {
    if (freeSince.isEmpty()) {
      freeSince = OptionalLong.of(now);
    }
    return freeSince.getAsLong();
  }

  @Override
  public void opened(Evidence phase) {
    if (options.enabled()) {
      open.add(phase.application());
      rhythm(phase.application()).opened(phase.since(), Math.max(heardNow, phase.since()));
    }
  }

  @Override
  public void closed(Evidence phase, long at, Ending why) {
    if (!options.enabled()) {
      return;
    }
    open.remove(phase.application());
    long free = Math.max(heardNow, at);
    freeSince = OptionalLong.of(free);
    heldSince = OptionalLong.empty();
    Rhythm rhythm = rhythm(phase.application());
    if (why == Ending.ANNOUNCED || why == Ending.QUIET) {
      rhythm.closed(at, free).ifPresent(this::score);
    } else {
      rhythm.withdraw();
    }
  }

  private void score(Rhythm.Outcome outcome) {
    scores = scores.and(outcome);
  }

  /**
   * The phase that is to be held for now though it has not begun, the soonest. A hold is never
   * longer than prefetching was free before it, whatever is forecast and for how many applications:
   * so at least half of each pause is free. To be called often, with times that do not go back.
   */
  public Optional<Forecast> expected(long now) {
    for (Rhythm each : rhythms.values()) {
      each.overdue(now).ifPresent(this::score);
    }
    if (!open.isEmpty()) {
      return Optional.empty();
    }
    long since = heldSince.orElse(now);
    long free = free(now);
    var expected =
        Stream.concat(
                rhythms.values().stream().flatMap(r -> r.expected(now).stream()),
                told.stream().filter(f -> f.covers(now)))
            .filter(f -> f.lateUntil() - since <= since - free)
            .min(Comparator.comparingLong(Forecast::onset));
    if (heldSince.isPresent() && expected.isEmpty()) {
      freeSince = OptionalLong.of(now);
    }
    heldSince = expected.isPresent() ? OptionalLong.of(since) : OptionalLong.empty();
    return expected;
  }

  /** All forecasts there are, the soonest first. */
  public List<Forecast> forecasts() {
    return Stream.concat(
            rhythms.values().stream().flatMap(r -> r.forecast().stream()), told.stream())
        .sorted(Comparator.comparingLong(Forecast::guardFrom))
        .toList();
  }

  /** The forecast for one application. */
  public Optional<Forecast> forecast(String application) {
    Rhythm rhythm = rhythms.get(application);
    return rhythm == null ? Optional.empty() : rhythm.forecast();
  }

  /** The part of the time that phases of anybody take, as far as that is known. */
  public double duty(long now) {
    double quiet = 1;
    for (Rhythm each : rhythms.values()) {
      quiet *= 1 - each.duty(now);
    }
    return 1 - quiet;
  }

  public Scores scores() {
    return scores;
  }
}
