package io.eley.controller.phase;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Makes one view of what all sources report. Its rules:
 *
 * <ol>
 *   <li><b>A phase is open when any source reports it.</b> HPC goes first, so one source is enough,
 *       and a source that reports nothing does not close what another sees. A phase is over when
 *       the last source has closed it.
 *   <li><b>But the application itself knows best</b> when its own phase is over: sources that look
 *       from outside are late by an interval and the quiet they wait for. What they see of it
 *       afterwards counts only from an interval on that began when it was over.
 *   <li><b>One application, one phase.</b> Sources that name the same application speak of one
 *       phase; its begin is the earliest that any of them tells.
 *   <li><b>Somebody is whoever is known.</b> Counters and probes see I/O, not whose. While a named
 *       phase is open that is taken for its I/O and supports it. With no named phase it is a phase
 *       of {@link Evidence#SOMEBODY}; after a named phase only once it was seen in an interval that
 *       began when that was over, or every phase would have a tail as long as an interval.
 *   <li><b>But not beside a name.</b> A source that tells of somebody and of a name at the same
 *       time knows that they are two: its somebody has a phase of its own, whoever else is in one.
 *   <li><b>Confidence adds up:</b> 1 − Π(1 − cᵢ) over the sources that say so. A source that can
 *       see the phase's kind, is fresh, and has seen nothing for longer than {@code patience}
 *       disputes it: the confidence is halved. The phase stays open, by the first rule.
 *   <li><b>Lost is not quiet.</b> A lost source keeps its phases for a while, see {@link
 *       SampledPhases}. When no source that sees by itself is left, though there was one, the view
 *       is blind.
 * </ol>
 *
 * <p>Not thread-safe: one thread owns it. Listens to the sources; call {@link #update} often, for
 * the rules with time in them.
 */
public final class PhaseFusion implements PhaseListener {
  private final PhaseListener listener;
  private final Duration patience;

  /** For each application the sources that report its phase, and since when. */
  private final Map<String, Known> named = new TreeMap<>();

  /** For each source the phase of an application it has no name for. */
  private final Map<String, Evidence> anonymous = new TreeMap<>();

  /** Those sources of them that have told a name beside it: theirs is somebody else. */
  private final Set<String> apart = new TreeSet<>();

  /** What sources still report of phases whose applications have ended them. */
  private final List<Tail> tails = new ArrayList<>();

  private record Tail(Evidence laggard, long after) {}

  private Optional<Known> somebody = Optional.empty();
  private boolean anyNamedYet;
  private long namedUntil;

  private static final class Known {
    final Map<String, Evidence> by = new TreeMap<>();
    final Evidence opened;

    Known(Evidence opened) {
      this.opened = opened;
    }
  }

  /**
   * A view without an open phase.
   *
   * @param patience how long a source may need to see what another has seen
   * @param listener is notified of each fused phase's begin and end once
   */
  public PhaseFusion(Duration patience, PhaseListener listener) {
    this.patience = patience;
    this.listener = listener;
  }

  @Override
  public void opened(Evidence phase) {
    if (!phase.named()) {
      anonymous.put(phase.source(), phase);
      somebody.ifPresent(s -> s.by.put(phase.source(), phase));
      if (names(phase.source())) {
        tellApart(phase);
      }
      return;
    }
    Optional<Evidence> beside = Optional.ofNullable(anonymous.get(phase.source()));
    Known known = named.get(phase.application());
    if (known == null) {
      if (beside.isEmpty() && apart.isEmpty()) {
        nameSomebody(phase);
      }
      known = new Known(phase);
      named.put(phase.application(), known);
      known.by.put(phase.source(), phase);
      listener.opened(phase);
    } else {
      known.by.put(phase.source(), phase);
    }
    beside.ifPresent(this::tellApart);
  }

  private void nameSomebody(Evidence phase) {
    somebody.ifPresent(
        s -> {
          noteNamed(phase.since());
          listener.closed(s.opened, phase.since(), Ending.NAMED);
        });
    somebody = Optional.empty();
  }

  /** Whether a source reports an application by name, if only in the tail of its phase. */
  private boolean names(String source) {
    return named.values().stream().anyMatch(known -> known.by.containsKey(source))
        || tails.stream().anyMatch(tail -> tail.laggard.source().equals(source));
  }

  private void tellApart(Evidence unnamed) {
    apart.add(unnamed.source());
    if (somebody.isEmpty()) {
      openSomebody(unnamed);
    }
  }

  @Override
  public void closed(Evidence phase, long at, Ending why) {
    if (!phase.named()) {
      anonymous.remove(phase.source());
      apart.remove(phase.source());
      somebody.ifPresent(
          s -> {
            s.by.remove(phase.source());
            boolean supports = !named.isEmpty() && apart.isEmpty();
            if (s.by.isEmpty() || supports) {
              somebody = Optional.empty();
              listener.closed(s.opened, at, why);
            }
          });
      return;
    }
    forget(phase);
    Known known = named.get(phase.application());
    if (known == null || known.by.remove(phase.source()) == null) {
      return;
    }
    if (why == Ending.ANNOUNCED) {
      tails.replaceAll(t -> ofSame(t, phase) ? new Tail(t.laggard, at) : t);
    }
    if (known.by.isEmpty() || why == Ending.ANNOUNCED) {
      known.by.values().forEach(laggard -> tails.add(new Tail(laggard, at)));
      named.remove(phase.application());
      noteNamed(at);
      listener.closed(known.opened, at, why);
    }
  }

  /** Notes until when what has no name was that of an application that has one, or got it. */
  private void noteNamed(long until) {
    namedUntil = anyNamedYet ? Math.max(namedUntil, until) : until;
    anyNamedYet = true;
  }

  /** Whether a phase of an application that has a name is open. */
  public boolean anyNamed() {
    return !named.isEmpty();
  }

  private void forget(Evidence phase) {
    tails.removeIf(t -> ofSame(t, phase) && t.laggard.source().equals(phase.source()));
  }

  private static boolean ofSame(Tail tail, Evidence phase) {
    return tail.laggard.application().equals(phase.application());
  }

  /**
   * Reopens phases whose bytes go on for longer than a tail can, though the application has ended
   * them.
   */
  private void reviveTails(List<PhaseSource> sources) {
    for (Tail tail : List.copyOf(tails)) {
      Evidence late = tail.laggard;
      boolean goesOn =
          sources.stream()
              .anyMatch(
                  s ->
                      s.kind().name().equals(late.source())
                          && s.busyAfter(late.application(), tail.after));
      if (goesOn) {
        tails.remove(tail);
        opened(new Evidence(late.application(), late.source(), tail.after, late.confidence()));
      }
    }
  }

  /**
   * Applies the rules that need time, and returns what is open now. The caller lets the sources
   * {@linkplain PhaseSource#expire expire} what is due before: none of them calls back in here.
   *
   * @param sources all of them
   * @return one entry an application, in the order of their names; the evidence names all sources
   *     that report it, joined by {@code +}
   */
  public List<Evidence> update(List<PhaseSource> sources, long now) {
    var said = new TreeMap<String, Map<String, Double>>();
    for (PhaseSource source : sources) {
      for (Evidence each : source.openPhases(now)) {
        said.computeIfAbsent(each.application(), a -> new TreeMap<>())
            .put(source.kind().name(), each.confidence());
      }
    }
    reviveTails(sources);
    nameNobody(sources);
    var open = new ArrayList<Evidence>();
    var unnamed = new TreeMap<>(said.getOrDefault(Evidence.SOMEBODY, Map.of()));
    unnamed.keySet().removeAll(apart);
    named.forEach((application, known) -> open.add(fused(known, said, unnamed, sources, now)));
    somebody.ifPresent(s -> open.add(fused(s, said, Map.of(), sources, now)));
    return List.copyOf(open);
  }

  private void nameNobody(List<PhaseSource> sources) {
    if (somebody.isPresent() || !named.isEmpty()) {
      return;
    }
    sources.stream()
        .filter(s -> anonymous.containsKey(s.kind().name()) && seenAgain(s))
        .map(s -> java.util.Objects.requireNonNull(anonymous.get(s.kind().name())))
        .min(Comparator.comparingLong(Evidence::since))
        .ifPresent(this::openSomebody);
  }

  private boolean seenAgain(PhaseSource source) {
    return !anyNamedYet || source.busyAfter(Evidence.SOMEBODY, namedUntil);
  }

  private void openSomebody(Evidence first) {
    long since = anyNamedYet ? Math.max(first.since(), namedUntil) : first.since();
    var phase = new Evidence(Evidence.SOMEBODY, first.source(), since, first.confidence());
    var known = new Known(phase);
    known.by.putAll(anonymous);
    somebody = Optional.of(known);
    listener.opened(phase);
  }

  private Evidence fused(
      Known known,
      Map<String, Map<String, Double>> said,
      Map<String, Double> support,
      List<PhaseSource> sources,
      long now) {
    String application = known.opened.application();
    var by = new TreeMap<>(said.getOrDefault(application, Map.of()));
    support.forEach(by::putIfAbsent);
    // From 0 up, not from 1 down: what one source says stays exactly what it says.
    double sure = 0;
    for (double each : by.values()) {
      sure += each * (1 - sure);
    }
    boolean old = now - known.opened.since() > patience.toNanos();
    double confidence = sure * (old && disputed(by.keySet(), sources, now) ? 0.5 : 1);
    return new Evidence(
        application, String.join("+", by.keySet()), known.opened.since(), confidence);
  }

  /** Whether a source that sees everybody's bytes, and is fresh, sees none. */
  private static boolean disputed(Set<String> by, List<PhaseSource> sources, long now) {
    return sources.stream()
        .anyMatch(
            s ->
                s.kind().seesEverybody()
                    && !by.contains(s.kind().name())
                    && s.health(now).state() == SourceHealth.State.FRESH);
  }

  /** Whether no source sees phases any more, though one of them did. */
  public static boolean blind(List<PhaseSource> sources, long now) {
    var states =
        sources.stream().filter(s -> s.kind().sampled()).map(s -> s.health(now).state()).toList();
    return states.contains(SourceHealth.State.LOST) && !states.contains(SourceHealth.State.FRESH);
  }
}
