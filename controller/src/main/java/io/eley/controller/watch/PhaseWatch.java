package io.eley.controller.watch;

import io.eley.controller.phase.AnnouncedPhases;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.ForeignBytes;
import io.eley.controller.phase.PhaseFusion;
import io.eley.controller.phase.PhaseListener;
import io.eley.controller.phase.PhaseSource;
import io.eley.controller.phase.PhaseThresholds;
import io.eley.controller.phase.SampledPhases;
import io.eley.controller.phase.Sighting;
import io.eley.controller.phase.SourceHealth;
import io.eley.controller.predict.Forecast;
import io.eley.controller.predict.PhasePredictor;
import io.eley.controller.predict.PredictionOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of HPC I/O now and expected next: the sources, their fusion and the predictor, with
 * nothing but state and arithmetic, so that a simulation runs it as production does.
 *
 * <p>Not thread-safe: one thread owns it. Times are nanoseconds of a monotonic clock.
 */
public final class PhaseWatch {
  private final WatchOptions options;
  private final AnnouncedPhases announced;
  private final Map<String, SampledPhases> sampled = new LinkedHashMap<>();
  private final List<PhaseSource> sources = new ArrayList<>();
  private final PhaseFusion fusion;
  private final PhasePredictor predictor;
  private final ForeignBytes foreign;

  /**
   * How phases are watched.
   *
   * @param thresholds when bytes are a phase
   * @param prediction how phases are predicted
   * @param leastConfidence phases of which less is certain are shown, not held for
   * @param slack see {@link ForeignBytes}
   * @param patience see {@link ForeignBytes} and {@link PhaseFusion}
   */
  public record WatchOptions(
      PhaseThresholds thresholds,
      PredictionOptions prediction,
      double leastConfidence,
      Duration slack,
      Duration patience) {
    /** 4 MB/s for a phase, 1 s of quiet, 10 s for a lost source. */
    public static final WatchOptions DEFAULT =
        new WatchOptions(
            new PhaseThresholds(4e6, Duration.ofSeconds(1), Duration.ofSeconds(10)),
            PredictionOptions.DEFAULT,
            0.2,
            Duration.ofMillis(100),
            Duration.ofSeconds(1));
  }

  /**
   * What is known.
   *
   * @param open phases, one an application
   * @param expected the phase whose guard interval has begun
   * @param blind see {@link PhaseFusion#blind}
   */
  public record View(List<Evidence> open, Optional<Forecast> expected, boolean blind) {
    public View {
      open = List.copyOf(open);
    }
  }

  /**
   * Announcements alone, until {@link #add} brings other sources.
   *
   * @param listener hears of each phase once, after the predictor
   */
  public PhaseWatch(WatchOptions options, PhaseListener listener) {
    this.options = options;
    predictor = new PhasePredictor(options.prediction());
    foreign = new ForeignBytes(options.slack(), options.patience());
    // Whoever writes the phase down wants the forecast it came under.
    fusion = new PhaseFusion(options.patience(), both(listener, predictor));
    announced = new AnnouncedPhases(fusion);
    sources.add(announced);
  }

  private static PhaseListener both(PhaseListener first, PhaseListener second) {
    return new PhaseListener() {
      @Override
      public void opened(Evidence phase) {
        first.opened(phase);
        second.opened(phase);
      }

      @Override
      public void closed(Evidence phase, long at, Ending why) {
        first.closed(phase, at, why);
        second.closed(phase, at, why);
      }
    };
  }

  /**
   * Adds a source that is sampled.
   *
   * @param confidence of its word while it is fresh
   * @param seesEverybody see {@link SampledPhases}
   * @param freshness after so long without a word it is lost
   */
  public void add(String name, double confidence, boolean seesEverybody, Duration freshness) {
    var source =
        new SampledPhases(name, confidence, seesEverybody, freshness, options.thresholds(), fusion);
    sampled.put(name, source);
    sources.add(source);
  }

  public AnnouncedPhases announced() {
    return announced;
  }

  public PhasePredictor predictor() {
    return predictor;
  }

  /** A sampled source has seen something. */
  public void seen(String source, List<Sighting> sightings, long now) {
    predictor.clock(now);
    if (source.equals(ForeignBytes.SOURCE)) {
      sightings.forEach(foreign::total);
      accept(source, foreign.ready(now), now);
    } else {
      accept(source, sightings, now);
    }
  }

  private void accept(String source, List<Sighting> sightings, long now) {
    SampledPhases phases = sampled.get(source);
    if (phases != null) {
      phases.accept(sightings, now);
      sightings.forEach(s -> predictor.moved(s.application(), s.from(), s.to(), s.bytes()));
    }
  }

  /** A sampled source could not see. */
  public void failed(String source, String why, long now) {
    Optional.ofNullable(sampled.get(source)).ifPresent(s -> s.failed(why, now));
  }

  /**
   * A node has told what it has moved on the origin since its start.
   *
   * @param asked when it was asked
   * @return whether that told what others have moved
   */
  public boolean ours(String node, long bytes, long asked, long now) {
    predictor.clock(now);
    foreign.heard(node, bytes, asked, now);
    var ready = foreign.ready(now);
    if (!ready.isEmpty()) {
      accept(ForeignBytes.SOURCE, ready, now);
    }
    return !ready.isEmpty();
  }

  public void gone(String node) {
    foreign.gone(node);
  }

  /** What all our nodes have moved between two moments. */
  public long ours(long from, long to) {
    return foreign.ours(from, to);
  }

  /** What is known now. Call it often, for what depends on time. */
  public View view(long now) {
    predictor.clock(now);
    var open =
        fusion.update(sources, now).stream()
            .filter(e -> e.confidence() >= options.leastConfidence())
            .toList();
    return new View(open, predictor.expected(now), PhaseFusion.blind(sources, now));
  }

  /** Bytes a second that an application moves, of the source that knows best. */
  public Optional<Double> bytesPerSecond(String application, long now) {
    return sampled.values().stream()
        .flatMap(
            s ->
                s
                    .bytesPerSecond(application, now)
                    .or(() -> s.bytesPerSecond(Evidence.SOMEBODY, now))
                    .stream())
        .filter(rate -> rate > 0)
        .findFirst();
  }

  public List<SourceHealth> health(long now) {
    return sources.stream().map(s -> s.health(now)).toList();
  }
}
