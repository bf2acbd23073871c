package io.eley.controller.watch;

import io.eley.bb.api.ReadTime;
import io.eley.controller.phase.AnnouncedPhases;
import io.eley.controller.phase.Blindness;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.ForeignBytes;
import io.eley.controller.phase.JoinedListener;
import io.eley.controller.phase.JoinedPhases;
import io.eley.controller.phase.PhaseFusion;
import io.eley.controller.phase.PhaseListener;
import io.eley.controller.phase.PhaseSource;
import io.eley.controller.phase.SampledPhases;
import io.eley.controller.phase.Sighting;
import io.eley.controller.phase.SourceHealth;
import io.eley.controller.phase.SourceKind;
import io.eley.controller.predict.Forecast;
import io.eley.controller.predict.PhasePredictor;
import io.eley.controller.sense.CarrierSense;
import io.eley.controller.sense.Neighbourhood;
import io.eley.controller.sense.StalledReads;
import io.eley.prefetcher.control.Conditions.Doubt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
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
  private final JoinedPhases joined;

  /** What sources notify. */
  private final PhaseListener reports;

  private final PhasePredictor predictor;
  private final ForeignBytes foreign;
  private final CarrierSense reads;
  private final StalledReads stalled = new StalledReads();
  private final Neighbourhood neighbourhood = new Neighbourhood();

  /** Whether an application with a name was in a phase when time passed last. */
  private boolean namedOpen;

  /** The source of totals whose foreign part {@link #foreign} works out; at most one. */
  private Optional<SourceKind> totals = Optional.empty();

  /**
   * What is known at one moment.
   *
   * @param open phases, one an application
   * @param expected the phase whose guard interval has begun
   * @param doubt why there may be a phase although none is open
   */
  public record View(List<Evidence> open, Optional<Forecast> expected, Doubt doubt) {
    public View {
      open = List.copyOf(open);
    }
  }

  /**
   * A watch of announcements alone, until {@link #add} adds other sources.
   *
   * @param listener is notified of each phase that is held for, after the ledger
   * @param ledger is notified of each phase before the predictor: it records the phase with the
   *     forecast that held before
   */
  public PhaseWatch(WatchOptions options, PhaseListener listener, JoinedListener ledger) {
    this.options = options;
    predictor = new PhasePredictor(options.prediction());
    foreign = new ForeignBytes(options.slack(), options.patience());
    joined = new JoinedPhases(options.patience(), this::resolution, ledger, predictor);
    fusion = new PhaseFusion(options.patience(), new BothListeners(joined, listener));
    reports = joined.reportsTo(fusion);
    announced = new AnnouncedPhases(reports);
    sources.add(announced);
    reads = new CarrierSense(reports);
    if (options.reads()) {
      sources.add(reads);
    }
  }

  private Duration resolution(String source) {
    return sources.stream()
        .map(PhaseSource::kind)
        .filter(kind -> kind.name().equals(source))
        .map(SourceKind::resolution)
        .findFirst()
        .orElse(Duration.ZERO);
  }

  /**
   * Adds a source that is sampled.
   *
   * @throws IllegalArgumentException when it counts totals and there is such a source already: what
   *     we moved can be taken away from one alone
   */
  public void add(SourceKind kind) {
    if (kind.totalsOnly()) {
      if (totals.isPresent()) {
        throw new IllegalArgumentException(
            kind.name() + " and " + totals.get().name() + " both count everybody's bytes");
      }
      totals = Optional.of(kind);
    }
    var source = new SampledPhases(kind, options.thresholds(), reports);
    sampled.put(kind.name(), source);
    sources.add(source);
  }

  public AnnouncedPhases announced() {
    return announced;
  }

  public PhasePredictor predictor() {
    return predictor;
  }

  /** What a sampled source is; empty for one that was never added. */
  public Optional<SourceKind> kind(String source) {
    return Optional.ofNullable(sampled.get(source)).map(SampledPhases::kind);
  }

  /**
   * Takes what a sampled source has seen. Nothing from one that counts totals is no silence: it has
   * counted nothing anew, and its next total tells of that time, too.
   */
  public void observe(String source, List<Sighting> sightings, long now) {
    predictor.advance(now);
    if (kind(source).filter(SourceKind::totalsOnly).isPresent()) {
      sightings.forEach(foreign::addTotal);
      var ready = foreign.ready(now);
      if (!ready.isEmpty()) {
        acceptForeign(source, ready, now);
      }
      Optional.ofNullable(sampled.get(source)).ifPresent(SampledPhases::noteAnswer);
    } else {
      accept(source, sightings, now);
    }
  }

  /**
   * What is left of a total is sure only where nothing of ours was in it. Else a burst in it is a
   * reason to listen, not yet a phase. Where our reads tell nothing, or a deployment of ours makes
   * them slow, what is left decides alone: what that one moves was taken from it, too.
   */
  private void acceptForeign(String source, List<ForeignBytes.Foreign> intervals, long now) {
    SampledPhases phases = sampled.get(source);
    if (phases == null) {
      return;
    }
    var sure = new ArrayList<Sighting>();
    for (ForeignBytes.Foreign each : intervals) {
      Sighting seen = each.sighting();
      boolean busy = seen.bytesPerSecond() >= options.thresholds().openBytesPerSecond();
      boolean mayListen = reads.hears() && !reads.deaf();
      if (!mayListen || each.exact() || !busy || !phases.openPhases(now).isEmpty()) {
        sure.add(seen);
      } else {
        reads.suspect(seen.from(), now);
        sure.add(new Sighting(seen.application(), seen.from(), seen.to(), 0, false));
      }
      if (each.exact()) {
        reads.noteExact(seen.from(), !busy, now);
      }
    }
    // As of the time the last interval tells of: what it takes until our own part is known is no
    // quiet.
    Sighting last = intervals.get(intervals.size() - 1).sighting();
    long known = last.to() + options.slack().toNanos();
    accept(source, sure, Math.min(now, known));
  }

  private void accept(String source, List<Sighting> sightings, long now) {
    SampledPhases phases = sampled.get(source);
    if (phases != null) {
      phases.accept(sightings, now);
    }
  }

  /** Takes how long a node's reads of the origin took. */
  public void observeReads(String node, List<ReadTime> ended, List<ReadTime> underWay, long now) {
    if (options.reads()) {
      predictor.advance(now);
      stalled.note(node, underWay, now);
      reads.observe(node, stalled.timely(ended), now);
      reads.observeUnderWay(node, stalled.timely(underWay), now);
    }
  }

  /**
   * Notes that the origin has asked for fewer requests. With ours alone it would not have to, or we
   * are too many: either way a reason to listen, not yet a phase.
   *
   * @return whether that is what is done now
   */
  public boolean noteThrottled(long now) {
    var before = reads.state();
    reads.suspect(now, now);
    return reads.state() != before;
  }

  /** A line for people when reads of the origin do not come back. */
  public Optional<String> describeStalls(long now) {
    return stalled.describe(now);
  }

  /** What our own reads tell; without a word when they are no source. */
  public CarrierSense reads() {
    return reads;
  }

  /** Notes that a sampled source could not see. */
  public void noteFailure(String source, String why, long now) {
    Optional.ofNullable(sampled.get(source)).ifPresent(s -> s.noteFailure(why, now));
  }

  /** Notes how far apart a sampled source's samples are, see {@link SampledPhases#noteInterval}. */
  public void noteInterval(String source, Duration apart) {
    Optional.ofNullable(sampled.get(source)).ifPresent(s -> s.noteInterval(apart));
  }

  /** Notes what a sampled source does not see although it answers. */
  public void noteBlindness(String source, Blindness blindness) {
    Optional.ofNullable(sampled.get(source)).ifPresent(s -> s.noteBlindness(blindness));
  }

  /**
   * Takes what a node of ours has moved on the origin since its start.
   *
   * @param asked when it was asked
   * @return whether foreign bytes of an interval are known now that were not before
   */
  public boolean observeOurs(String node, long bytes, long asked, long now) {
    foreign.observe(node, bytes, asked, now);
    return takeForeign(now);
  }

  /**
   * Takes what all clients have read past the buffer since the start, in bytes.
   *
   * @return as of {@link #observeOurs}
   */
  public boolean observePastTheBuffer(long bytes, long now) {
    foreign.observePastTheBuffer(bytes, now);
    return takeForeign(now);
  }

  /** Takes what another deployment had moved on the same file system, see {@link ForeignBytes}. */
  public boolean observeNeighbour(String deployment, long bytes, long at, long now) {
    foreign.observeNeighbour(deployment, bytes, at);
    return takeForeign(now);
  }

  /** Takes the word of another deployment whether it loads the origin now. */
  public void noteNeighbour(String deployment, boolean loads, long now) {
    neighbourhood.note(deployment, loads, now);
    reads.noteNeighbours(neighbourhood.there(now), neighbourhood.loads(now), now);
  }

  /** A line for people about other deployments; empty without any. */
  public Optional<String> describeNeighbours(long now) {
    return foreign.describeNeighbours(now);
  }

  private boolean takeForeign(long now) {
    predictor.advance(now);
    var ready = foreign.ready(now);
    if (ready.isEmpty()) {
      return false;
    }
    totals.ifPresent(kind -> acceptForeign(kind.name(), ready, now));
    return true;
  }

  /** A node has joined, perhaps again: what it has moved may count from 0. */
  public void join(String node) {
    foreign.forget(node);
  }

  /** Forgets a node that has left. */
  public void forget(String node) {
    foreign.forget(node);
    reads.forget(node);
    stalled.forget(node);
  }

  /** What our nodes have moved between two moments, and clients past the buffer, about. */
  public long ourBytes(long from, long to) {
    return foreign.ours(from, to);
  }

  /**
   * Lets time pass, and returns what is known then. Phases end by time alone, so call it often.
   *
   * @return the view at {@code now}
   */
  public View advance(long now) {
    predictor.advance(now);
    sources.forEach(s -> s.expire(now));
    joined.settle(now);
    var expected = predictor.expected(now);
    reads.noteNeighbours(neighbourhood.there(now), neighbourhood.loads(now), now);
    if (namedOpen && !fusion.anyNamed()) {
      reads.noteNamedOver(now);
    }
    namedOpen = fusion.anyNamed();
    // What others report just after a named phase may be its tail: that keeps nobody from
    // listening.
    boolean tail = !namedOpen && reads.listensAfterNamed();
    boolean open = !tail && openBesides(CarrierSense.KIND.name(), now);
    reads.advance(new CarrierSense.Others(open, everybodySeen(now), expected.isPresent()), now);
    var phases =
        fusion.update(sources, now).stream()
            .filter(e -> e.confidence() >= options.leastConfidence())
            .toList();
    return new View(phases, expected, doubt(now));
  }

  private Doubt doubt(long now) {
    if (reads.state() == CarrierSense.State.LISTENING) {
      return Doubt.LISTENING;
    }
    if (PhaseFusion.blind(sources, now)) {
      return Doubt.BLIND;
    }
    boolean hears = options.reads() && !reads.deaf();
    return hears || anySees(now) ? Doubt.NONE : Doubt.UNSEEN;
  }

  /** Whether a source that is polled reports, or has not been polled yet. */
  private boolean anySees(long now) {
    return sampled.values().stream()
        .map(s -> s.health(now))
        .anyMatch(h -> h.state() != SourceHealth.State.ABSENT || h.message().isEmpty());
  }

  /** Whether a source that sees everybody's bytes is fresh. */
  private boolean everybodySeen(long now) {
    return sources.stream()
        .anyMatch(
            s -> s.kind().seesEverybody() && s.health(now).state() == SourceHealth.State.FRESH);
  }

  /** Whether a source that is polled should look more often than usual, for something goes on. */
  public boolean closeLook() {
    return reads.state() != CarrierSense.State.CLEAR
        || sampled.values().stream().anyMatch(SampledPhases::anyOpen);
  }

  /** Whether a source other than this one reports an open phase. */
  public boolean openBesides(String source, long now) {
    return sources.stream()
        .anyMatch(s -> !s.kind().name().equals(source) && !s.openPhases(now).isEmpty());
  }

  /**
   * Bytes a second that each of these applications moves, of the first source that can tell;
   * without those of which none can. What a source has no names for belongs to those it does not
   * know in equal parts, so that their sum is what was seen; of a total, what the others of them
   * move by name is none of theirs.
   */
  public Map<String, Double> bytesPerSecond(Collection<String> applications, long now) {
    var rates = new LinkedHashMap<String, Double>();
    var unnamed = new LinkedHashMap<PhaseSource, List<String>>();
    for (String each : applications) {
      firstToTell(each, now)
          .ifPresent(
              source -> {
                double rate = named(source, each, now);
                if (rate > 0) {
                  rates.put(each, rate);
                } else {
                  unnamed.computeIfAbsent(source, s -> new ArrayList<>()).add(each);
                }
              });
    }
    double known = rates.values().stream().mapToDouble(Double::doubleValue).sum();
    unnamed.forEach(
        (source, theirs) -> {
          double all = source.bytesPerSecond(Evidence.SOMEBODY, now).orElse(0.0);
          double rest = source.kind().totalsOnly() ? all - known : all;
          if (rest > 0) {
            theirs.forEach(each -> rates.put(each, rest / theirs.size()));
          }
        });
    return rates;
  }

  private Optional<PhaseSource> firstToTell(String application, long now) {
    return sources.stream()
        .filter(
            s ->
                s.bytesPerSecond(application, now)
                    .or(() -> s.bytesPerSecond(Evidence.SOMEBODY, now))
                    .filter(rate -> rate > 0)
                    .isPresent())
        .findFirst();
  }

  private static double named(PhaseSource source, String application, long now) {
    return application.equals(Evidence.SOMEBODY)
        ? 0
        : source.bytesPerSecond(application, now).orElse(0.0);
  }

  /**
   * Bytes a second that all others move, by the source that sees most of it; empty when no source
   * that counts bytes can see now.
   */
  public Optional<Double> foreignBytesPerSecond(long now) {
    return sampled.values().stream()
        .flatMap(s -> s.bytesPerSecond(now).stream())
        .max(Double::compare);
  }

  /** The health of each source. */
  public List<SourceHealth> health(long now) {
    return sources.stream().map(s -> s.health(now)).toList();
  }
}
