package io.eley.controller.phase;

import io.eley.bb.api.RecentMap;
import io.eley.controller.phase.SourceSpans.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Makes whole phases of what {@link PhaseFusion} opens and closes, for whoever writes them down or
 * learns from them; what is held for follows the fusion, at once.
 *
 * <ul>
 *   <li><b>Pieces are joined</b> that are closer than their source can tell apart.
 *   <li><b>A phase of somebody gets a name</b> when a source that is slower to see it, but knows
 *       names, reports it: then it was that application's from its begin.
 *   <li><b>Those that one source has told beside each other are two</b>, also to what it tells of
 *       them later.
 *   <li><b>Times are corrected</b> by what other sources say of the same phase ({@link
 *       SourceSpans}), also after its end: those that look from outside are late.
 * </ul>
 *
 * <p>Not thread-safe: one thread owns it. Times are nanoseconds of a monotonic clock.
 */
public final class JoinedPhases implements PhaseListener {
  /** A phase that is over waits for so long at most for sources that still see it. */
  private static final Duration TAIL = Duration.ofSeconds(3);

  /** Smaller differences are not worth a word. */
  private static final Duration LEAST_SHIFT = Duration.ofMillis(10);

  /** Of so many applications it is remembered when their last phases ended. */
  private static final int APPLICATIONS = 1000;

  private static final long NEVER = Long.MIN_VALUE;

  /** Beside its resolution, a source that knows names may be so late to see a phase. */
  private final Duration patience;

  private final Function<String, Duration> resolutions;
  private final JoinedListener listener;
  private final PhaseListener whole;
  private final List<Phase> phases = new ArrayList<>();

  /** What sources report now that belongs to no phase yet, by source. */
  private final Map<String, List<Evidence>> reports = new HashMap<>();

  /** When the last phase ended. */
  private long anybodysUntil = NEVER;

  /** When each application's last phase ended, of those that are settled. */
  private final Map<String, Long> until = new RecentMap<>(APPLICATIONS);

  private static final class Phase {
    final Evidence first;
    final SourceSpans spans = new SourceSpans();

    /** Sources that have told it beside another one of which only one has a name. */
    final Set<String> apart = new HashSet<>();

    Evidence as;

    /** The name under which the fusion has it open. */
    String fused;

    int pieces = 1;
    long endedAt;
    Optional<Ending> why = Optional.empty();

    Phase(Evidence first) {
      this.first = first;
      this.as = first;
      this.fused = first.application();
    }

    boolean over() {
      return why.isPresent();
    }

    boolean concerns(Evidence report) {
      return is(report) || ((!report.named() || !as.named()) && !apart.contains(report.source()));
    }

    boolean is(Evidence report) {
      return report.application().equals(as.application());
    }
  }

  /**
   * Nothing is open yet.
   *
   * @param resolutions by a source's name
   * @param listener is notified of all that becomes known of each phase
   * @param whole is notified of each phase's begin, and of its end once it is settled
   */
  public JoinedPhases(
      Duration patience,
      Function<String, Duration> resolutions,
      JoinedListener listener,
      PhaseListener whole) {
    this.patience = patience;
    this.resolutions = resolutions;
    this.listener = listener;
    this.whole = whole;
  }

  /** What each source reports by itself goes through here, and on to the fusion. */
  public PhaseListener reportsTo(PhaseListener fusion) {
    return new PhaseListener() {
      @Override
      public void opened(Evidence report) {
        fusion.opened(report);
        noteOpened(report);
      }

      @Override
      public void closed(Evidence report, long at, Ending why) {
        noteClosed(report, at);
        fusion.closed(report, at, why);
      }
    };
  }

  private void noteOpened(Evidence report) {
    var told = reports.computeIfAbsent(report.source(), s -> new ArrayList<>());
    told.add(report);
    if (told.stream().anyMatch(Evidence::named) && !told.stream().allMatch(Evidence::named)) {
      phases.stream()
          .filter(phase -> !phase.over() && told.stream().anyMatch(phase::is))
          .forEach(phase -> phase.apart.add(report.source()));
    }
    concerned(report).ifPresent(phase -> attach(phase, report));
  }

  private void noteClosed(Evidence report, long at) {
    reports
        .getOrDefault(report.source(), new ArrayList<>())
        .removeIf(open -> open.application().equals(report.application()));
    phases.stream()
        .filter(phase -> phase.concerns(report))
        .forEach(phase -> phase.spans.close(report.source(), at));
  }

  /**
   * The phase that a report tells of: its application's, where that has one. What belongs to nobody
   * by name tells nothing when several applications are in a phase.
   */
  private Optional<Phase> concerned(Evidence report) {
    var open = phases.stream().filter(p -> !p.over() && p.concerns(report)).toList();
    var own = open.stream().filter(p -> report.named() && p.is(report)).findFirst();
    return own.isPresent() || open.size() != 1 ? own : Optional.of(open.get(0));
  }

  private void attach(Phase phase, Evidence report) {
    // What nobody has a name for was the last phase's until that was over; what has one was that of
    // the application's last phase, for a source that saw no pause between them.
    boolean anybodys = !report.named() && phase.as.named();
    long before = anybodys ? anybodysUntil : until.getOrDefault(report.application(), NEVER);
    long since = Math.max(report.since(), before);
    phase.spans.open(report.source(), since, resolutions.apply(report.source()));
  }

  @Override
  public void opened(Evidence fused) {
    phases.stream()
        .filter(p -> !p.over() && p.is(fused))
        .findFirst()
        .ifPresent(p -> part(p, fused));
    var before =
        phases.stream().filter(p -> joins(p, fused)).max(Comparator.comparing(p -> p.is(fused)));
    before.ifPresent(phase -> resume(phase, fused));
    Phase phase = before.orElseGet(() -> begin(fused));
    attach(phase, fused);
    for (List<Evidence> open : List.copyOf(reports.values())) {
      open.stream()
          .filter(r -> !r.source().equals(fused.source()))
          .filter(r -> concerned(r).filter(phase::equals).isPresent())
          .forEach(r -> attach(phase, r));
    }
  }

  /** Whether a phase that seemed over goes on as this one. */
  private boolean joins(Phase before, Evidence next) {
    if (before.why.isEmpty() || !before.concerns(next)) {
      return false;
    }
    Duration resolution = resolutions.apply(next.source());
    return switch (before.why.get()) {
      case ANNOUNCED, LEASE_EXPIRED -> false; // who says so himself knows
      case NAMED ->
          before.as.named() // and it is this one's, whose rest had no name for a while
              || next.since() - before.first.since() <= resolution.plus(patience).toNanos();
      case QUIET, SOURCE_LOST ->
          next.since() - before.endedAt
              <= Math.max(before.spans.coarsest().toNanos(), resolution.toNanos());
    };
  }

  /**
   * What went on without a name was taken for an application's, which now has a phase beside it: it
   * is somebody else's from now on, and where that one's ended is not known.
   */
  private void part(Phase phase, Evidence fused) {
    long at = fused.since();
    var rest = new Evidence(phase.fused, fused.source(), at, fused.confidence());
    closed(rest, at, Ending.NAMED);
    settle(phase);
    attach(begin(rest), rest);
  }

  private void resume(Phase phase, Evidence fused) {
    if (phase.why.filter(why -> why != Ending.NAMED).isPresent()) {
      phase.pieces++;
    }
    phase.why = Optional.empty();
    phase.fused = fused.application();
    if (fused.named() && !phase.as.named()) {
      settleBefore(fused.application());
      whole.closed(phase.as, fused.since(), Ending.NAMED);
      long since = Math.min(phase.first.since(), fused.since());
      phase.as = new Evidence(fused.application(), fused.source(), since, fused.confidence());
      whole.opened(phase.as);
    }
    listener.resumed(phase.first, phase.as);
  }

  private Phase begin(Evidence fused) {
    settleBefore(fused.application());
    var phase = new Phase(fused);
    phases.add(phase);
    listener.opened(fused);
    whole.opened(fused);
    return phase;
  }

  /** Settles what is over of an application: who learns knows one phase of each at a time. */
  private void settleBefore(String application) {
    phases.stream()
        .filter(p -> p.over() && p.as.application().equals(application))
        .toList()
        .forEach(this::settle);
  }

  @Override
  public void closed(Evidence fused, long at, Ending why) {
    for (Phase phase : phases) {
      if (!phase.over() && phase.fused.equals(fused.application())) {
        phase.endedAt = at;
        phase.why = Optional.of(why);
        anybodysUntil = Math.max(anybodysUntil, at);
        listener.closed(phase.first, at, why);
      }
    }
  }

  /**
   * Settles the phases that nothing more can be learned of. A piece that began within the source's
   * resolution may be reported later than that: until then the phase waits.
   */
  public void settle(long now) {
    for (Phase phase : List.copyOf(phases)) {
      if (phase.over()) {
        long passed = now - phase.endedAt;
        boolean mayGoOn =
            phase.why.filter(JoinedPhases::seenFromOutside).isPresent()
                && passed <= phase.spans.coarsest().plus(patience).toNanos();
        boolean seen =
            phase.spans.open()
                && phase.why.filter(why -> why != Ending.NAMED).isPresent()
                && passed <= TAIL.toNanos();
        if (!mayGoOn && !seen) {
          settle(phase);
        }
      }
    }
  }

  private static boolean seenFromOutside(Ending why) {
    return why == Ending.QUIET || why == Ending.SOURCE_LOST;
  }

  private void settle(Phase phase) {
    phases.remove(phase);
    Ending why = phase.why.orElseThrow();
    var begin = phase.spans.begin();
    var seen = new Moment(phase.endedAt, phase.as.source(), phase.spans.coarsest());
    var end =
        why == Ending.NAMED
            ? seen
            : phase.spans.end().filter(m -> m.at() <= seen.at()).orElse(seen);
    long over = Math.max(begin.at(), end.at());
    if (phase.as.named()) {
      until.merge(phase.as.application(), over, Math::max);
    }
    listener.settled(
        phase.first,
        new SettledPhase(
            phase.as.application(),
            phase.spans.sources(),
            begin.at(),
            over,
            longer(begin.resolution(), end.resolution()),
            why,
            corrections(phase, begin, end)));
    whole.closed(phase.as, over, why);
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private static String corrections(Phase phase, Moment begin, Moment end) {
    var all = new ArrayList<String>();
    if (phase.pieces > 1) {
      all.add(phase.pieces + " pieces");
    }
    if (phase.as.named() && !phase.first.named()) {
      all.add("first of " + Evidence.SOMEBODY);
    }
    shift("begin", begin.at() - phase.first.since(), begin.source()).ifPresent(all::add);
    shift("end", end.at() - phase.endedAt, end.source()).ifPresent(all::add);
    return String.join(", ", all);
  }

  private static Optional<String> shift(String what, long nanos, String source) {
    return Math.abs(nanos) < LEAST_SHIFT.toNanos()
        ? Optional.empty()
        : Optional.of(String.format(Locale.ROOT, "%s %+.2f s by %s", what, nanos / 1e9, source));
  }
}
