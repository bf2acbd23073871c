package io.eley.controller.phase;

import io.eley.controller.phase.PhaseListener.Ending;
import io.eley.controller.phase.SourceHealth.State;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Phases in the samples of a source that is polled: a phase opens with the first interval whose
 * rate reaches the threshold, and closes when the rate has been below half of it for a while, or
 * the application is not there any more.
 *
 * <p>A source that fails, or reports nothing, is lost: the confidence of its phases decays (half as
 * much for each {@code freshness}), and its open phases stay open for {@link
 * PhaseThresholds#lostHold}. Both times are longer while its samples are further apart than it is
 * polled ({@link #noteInterval}).
 *
 * <p>Example, threshold 4 MB/s, quiet 1 s, an interval each 0.25 s: intervals of 0, 3, 1 and 0 MB
 * ending at 0.25, 0.5, 0.75 and 1 s, then nothing: open from 0.25 s on, closed at 1.75 s, and its
 * end was at 0.75 s.
 *
 * <p>Not thread-safe: one thread owns it. Time is handed in.
 */
public final class SampledPhases implements PhaseSource {
  private final SourceKind polled;
  private final PhaseThresholds thresholds;
  private final PhaseListener listener;
  private final Map<String, Open> open = new TreeMap<>();
  private final Map<String, Double> rates = new TreeMap<>();

  /** What the source is while its samples are as far apart as the last one and the next. */
  private SourceKind kind;

  private long heardAt;

  /** Until when the last sample tells. */
  private long seenUntil;

  private boolean heard;
  private boolean failing;
  private boolean countsBytes;
  private String message = "";
  private Blindness blindness = Blindness.NONE;

  private static final class Open {
    final Evidence phase;
    Sighting lastBusy;

    Open(Evidence phase, Sighting lastBusy) {
      this.phase = phase;
      this.lastBusy = lastBusy;
    }
  }

  /**
   * A source without a sample yet.
   *
   * @param kind of means {@link SourceKind.Means#SAMPLED}
   * @param listener is notified of each phase's begin and end once
   */
  public SampledPhases(SourceKind kind, PhaseThresholds thresholds, PhaseListener listener) {
    polled = kind;
    this.kind = kind;
    this.thresholds = thresholds;
    this.listener = listener;
  }

  @Override
  public SourceKind kind() {
    return kind;
  }

  /**
   * Takes samples. A sighting that ends before one that was taken already is a duplicate and is
   * dropped. A sample tells of the time until its last sighting ended: what it took to get here is
   * no quiet, but for a tenth of one, so that as many intervals as make a quiet are one. A sample
   * without a sighting tells of now.
   */
  public void accept(Collection<Sighting> sightings, long now) {
    heard = true;
    failing = false;
    heardAt = now;
    message = "";
    rates.clear();
    if (kind.tellsPhases()) {
      closeUntold(sightings);
    }
    for (Sighting each : sightings) {
      rates.put(each.application(), each.bytesPerSecond());
      countsBytes |= kind.totalsOnly() || each.bytes() > 0;
      take(each);
    }
    long until = sightings.stream().mapToLong(Sighting::to).max().orElse(now);
    seenUntil = Math.min(now, until + quiet() / 10);
    closeQuiet();
  }

  /**
   * Who tells phases has waited for their quiet himself: what his answer does not contain is over,
   * before anything in it begins. One of somebody goes on under a name that is new in it.
   */
  private void closeUntold(Collection<Sighting> answer) {
    Set<String> told = answer.stream().map(Sighting::application).collect(Collectors.toSet());
    OptionalLong begun =
        answer.stream()
            .filter(s -> !open.containsKey(s.application()))
            .mapToLong(Sighting::from)
            .min();
    for (Iterator<Open> each = open.values().iterator(); each.hasNext(); ) {
      Open known = each.next();
      if (told.contains(known.phase.application())) {
        continue;
      }
      each.remove();
      if (!known.phase.named() && begun.isPresent()) {
        listener.closed(known.phase, begun.getAsLong(), Ending.NAMED);
      } else {
        listener.closed(known.phase, known.lastBusy.to(), Ending.QUIET);
      }
    }
  }

  private void take(Sighting seen) {
    Open known = open.get(seen.application());
    double rate = seen.bytesPerSecond();
    if (known == null) {
      if (seen.said() || rate >= thresholds.openBytesPerSecond()) {
        double confidence = kind.confidence() * seen.confidence();
        var phase = new Evidence(seen.application(), kind.name(), seen.from(), confidence);
        open.put(seen.application(), new Open(phase, seen));
        listener.opened(phase);
      }
    } else if ((seen.said() || rate >= thresholds.closeBytesPerSecond())
        && seen.to() - known.lastBusy.to() > 0) {
      known.lastBusy = seen;
    }
  }

  /** Notes that the source answers, though nothing that it did not say before. */
  public void noteAnswer() {
    failing = false;
    message = "";
  }

  /** Notes that the source could not be read. */
  public void noteFailure(String why, long now) {
    failing = true;
    message = why;
    expire(now);
  }

  /**
   * Notes how far apart samples are from the last one on, where that is more than its kind says.
   */
  public void noteInterval(Duration apart) {
    kind = polled.every(apart);
  }

  /** Notes what the source does not see although it answers. */
  public void noteBlindness(Blindness seen) {
    blindness = seen;
  }

  /** Whether a phase is open. */
  public boolean anyOpen() {
    return !open.isEmpty();
  }

  @Override
  public List<Evidence> openPhases(long now) {
    double faded = confidence(now);
    return open.values().stream()
        .map(
            o ->
                new Evidence(
                    o.phase.application(),
                    kind.name(),
                    o.phase.since(),
                    faded * o.lastBusy.confidence()))
        .toList();
  }

  /** The confidence of its phases, which decays with the age of the last sample. */
  private double confidence(long now) {
    double late = Math.max(0, now - heardAt - freshness());
    return kind.confidence() * Math.pow(0.5, late / Math.max(1, freshness()));
  }

  private long freshness() {
    return kind.freshness().toNanos();
  }

  @Override
  public Optional<Double> bytesPerSecond(String application, long now) {
    return state(now) == State.FRESH
        ? Optional.ofNullable(rates.get(application))
        : Optional.empty();
  }

  /**
   * Bytes a second of all that it sees; empty when it does not see now, or has never counted a
   * byte: some sources only say whether there is I/O.
   */
  public Optional<Double> bytesPerSecond(long now) {
    return countsBytes && state(now) == State.FRESH
        ? Optional.of(rates.values().stream().mapToDouble(Double::doubleValue).sum())
        : Optional.empty();
  }

  @Override
  public boolean busyAfter(String application, long time) {
    Open phase = open.get(application);
    return phase != null
        && (phase.phase.since() - time >= 0 || phase.lastBusy.from() - time >= lateness());
  }

  /**
   * For how long a phase may be reported though it is over: one that is told is until its teller,
   * whose own intervals are that long, has seen a quiet.
   */
  private long lateness() {
    return kind.tellsPhases() ? kind.resolution().plus(thresholds.quiet()).toNanos() : 0;
  }

  @Override
  public void expire(long now) {
    if (state(now) == State.LOST && now - heardAt > lostHold()) {
      for (Iterator<Open> each = open.values().iterator(); each.hasNext(); ) {
        Open lost = each.next();
        each.remove();
        listener.closed(lost.phase, now, Ending.SOURCE_LOST);
      }
    } else if (state(now) == State.FRESH) {
      closeQuiet();
    }
  }

  /** As much longer as the next sample may come later. */
  private long lostHold() {
    return thresholds.lostHold().plus(kind.interval()).minus(polled.interval()).toNanos();
  }

  /**
   * Closes quiet phases as of the last sample: without samples it is not known whether a phase is
   * quiet.
   */
  private void closeQuiet() {
    for (Iterator<Open> each = open.values().iterator(); each.hasNext(); ) {
      Open phase = each.next();
      if (seenUntil - phase.lastBusy.to() > quiet()) {
        each.remove();
        listener.closed(phase.phase, phase.lastBusy.to(), Ending.QUIET);
      }
    }
  }

  private long quiet() {
    return (kind.tellsPhases() ? kind.interval() : thresholds.quiet()).toNanos();
  }

  private State state(long now) {
    if (!heard) {
      return State.ABSENT;
    }
    return now - heardAt > freshness() ? State.LOST : State.FRESH;
  }

  @Override
  public SourceHealth health(long now) {
    Duration age = heard ? Duration.ofNanos(Math.max(0, now - heardAt)) : Duration.ZERO;
    if (failing) {
      return new SourceHealth(kind.name(), state(now), age, message);
    }
    boolean absent = blindness.complete() && state(now) == State.FRESH;
    return new SourceHealth(
        kind.name(), absent ? State.ABSENT : state(now), age, blindness.describe());
  }
}
