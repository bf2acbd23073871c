package io.eley.controller.sense;

import io.eley.bb.api.ReadTime;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.PhaseListener;
import io.eley.controller.phase.PhaseListener.Ending;
import io.eley.controller.phase.PhaseSource;
import io.eley.controller.phase.SourceHealth;
import io.eley.controller.phase.SourceKind;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Listens to the origin before and while we read it, as a station listens to its medium (carrier
 * sense). Our own reads are the witness that needs no rights and no extra load, and the earliest
 * one: when somebody else begins his I/O, ours takes longer within a chunk or two.
 *
 * <pre>
 *  CLEAR ──reads take longer, another source suspects, or it is time──► LISTENING: no prefetching
 *    ▲ ◄───────────────single reads are as fast as ever─────────────────┘ │ they are slow
 *    └──a single read is fast, or the counters are silent──── FOREIGN ◄───┘ a phase of somebody
 * </pre>
 *
 * <ul>
 *   <li><b>A rise</b> is found by a one-sided CUSUM (Page, Biometrika 41, 1954) over the logarithm
 *       of each read's time against what it takes under the same load of ours ({@link
 *       ReadBaselines}), with an allowance that follows the usual spread. Reads that have not ended
 *       and are overdue alarm, too, when there are several at once.
 *   <li><b>Listening is cheap</b>, so little evidence is enough to begin it. Once all our reads are
 *       over, single ones follow each other until a sequential test (Wald, 1945, with logarithms of
 *       times for likelihoods) has decided. They are prefetches that are wanted anyway.
 *   <li><b>A rise that was nothing</b> makes it harder to alarm for a while, so disputes cost
 *       little however noisy the origin is.
 *   <li><b>The end is felt, too.</b> While no other source sees the phase, single reads follow at
 *       growing distances: {@link #SOON}, then half as much more each time, up to {@link #LATE}.
 *       Once three phases are known, they begin anew near the usual end. When a source that sees
 *       everybody's bytes is there, it says when it is silent, and no reads are needed.
 * </ul>
 *
 * <p>What single reads take must be known for all of this: until it is a node reads one chunk at a
 * time, and every {@link #GAP} of reading there is a gap for one single read, so that it stays
 * known, and an application is found that began so gently that no rise was heard.
 *
 * <p>Not thread-safe: one thread owns it. Times are nanoseconds of a monotonic clock.
 */
public final class CarrierSense implements PhaseSource {
  public static final SourceKind KIND =
      SourceKind.sampled("reads", 0.7, Duration.ofMillis(100), Duration.ofSeconds(10));

  /** Between two single reads in a phase, at first and at most. */
  static final Duration SOON = Duration.ofMillis(100);

  static final Duration LATE = Duration.ofMillis(800);
  private static final double LATER = 1.5;

  /** Between two listening gaps while we read. */
  static final Duration GAP = Duration.ofSeconds(10);

  /** Between two single reads while a phase is expected. */
  private static final Duration EXPECTING = Duration.ofMillis(150);

  /** A single read that has not come back for so long is asked of another node. */
  private static final Duration TEST_LOST = Duration.ofMillis(400);

  /** After so many in a row nobody wants to read, and it cannot be told what goes on. */
  private static final int MOST_LOST = 5;

  /** Logarithms: a read that takes 1.28 times as long as usual is no evidence yet. */
  private static final double ALLOWANCE = 0.25;

  private static final double ALLOWANCE_SPREADS = 1.5;
  private static final double ALARM = 0.6;
  private static final double ALARM_SPREADS = 4;

  /** A read that has not ended is overdue when it has taken 1.5 times as long as usual. */
  private static final double OVERDUE = 0.4;

  private static final double OVERDUE_SPREADS = 4;
  private static final int OVERDUE_READS = 3;
  private static final Duration OVERDUE_COUNTS = Duration.ofMillis(100);

  /** So long after prefetching was told to stop it has. */
  private static final Duration STOPPED = Duration.ofMillis(150);

  /** Less than so many reads of a node under way on average are a single one. */
  private static final double ALONE = 1.2;

  /** No single read may alarm alone. */
  private static final double MOST_AT_ONCE = 0.5;

  /** The sequential test: a single read that takes 1.6 times as long speaks for neither side. */
  private static final double UNDECIDED = 0.45;

  private static final double BUSY = 0.5;
  private static final double IDLE = -0.3;
  private static final double MOST_BY_ONE = 0.45; // so no single read decides that it is busy

  private static final double LESS_TRUST = 1.3;
  private static final double LEAST_TRUST = 2.5;
  private static final double FORGIVEN_A_SECOND = 0.93;

  /**
   * What the other sources know.
   *
   * @param open whether one of them reports an open phase: then it is theirs
   * @param exact whether one that sees everybody's bytes is fresh
   * @param expected whether prefetching is held for a phase that is expected
   */
  public record Others(boolean open, boolean exact, boolean expected) {
    static final Others NONE = new Others(false, false, false);
  }

  /** What it has come to. */
  public enum State {
    /** Nobody else is heard. */
    CLEAR,
    /** Something was heard: prefetching stops until it is known what it was. */
    LISTENING,
    /** Somebody else does I/O. */
    FOREIGN
  }

  private final PhaseListener listener;
  private final ReadBaselines baselines = new ReadBaselines();
  private final Map<String, Overdue> overdue = new HashMap<>();

  /** So many reads of a node were overdue then. */
  private record Overdue(long reads, long at) {}

  private final UsualLength usual = new UsualLength();
  private State state = State.CLEAR;
  private Others others = Others.NONE;
  private int largest = 1;
  private double rise;
  private long riseAt;
  private long usualEnd;
  private double verdict;
  private long since;
  private Optional<Evidence> phase = Optional.empty();
  private Optional<Long> testAsked = Optional.empty();
  private int testsLost;
  private long lastTest;
  private double wait = SOON.toNanos();
  private boolean nearEnd;
  private double distrust = 1;
  private long forgivenAt;
  private boolean heard;
  private long heardAt;
  private boolean gap;
  private long listenedAt;
  private long listened;
  private int disputes;

  /**
   * Hears nothing yet.
   *
   * @param listener is notified of each phase's begin and end once
   */
  public CarrierSense(PhaseListener listener) {
    this.listener = listener;
  }

  @Override
  public SourceKind kind() {
    return KIND;
  }

  public State state() {
    return state;
  }

  /** Whether anybody tells how long reads take, so that there is something to listen to. */
  public boolean hears() {
    return heard;
  }

  /** For how long it has listened for nothing since the start. */
  public Duration listenedInVain() {
    return Duration.ofNanos(listened);
  }

  /** How often it has listened for nothing since the start. */
  public int disputes() {
    return disputes;
  }

  /**
   * Whether a node should read one chunk at a time for now, since it is not known yet what that
   * takes.
   */
  public boolean learns(String node) {
    return !baselines.singles(node).known();
  }

  /** Takes how long reads of a node took. */
  public void observe(String node, List<ReadTime> reads, long now) {
    for (ReadTime read : reads) {
      largest = Math.max(largest, read.bytes());
      // The last chunk of a file says little of how long a chunk takes.
      if (read.bytes() > largest / 2) {
        listenedAt = heard ? listenedAt : now;
        heard = true;
        heardAt = now;
        observe(node, read, now);
      }
    }
  }

  private void observe(String node, ReadTime read, long now) {
    ReadBaseline baseline = baselines.of(node, read, now);
    double time = logTime(read);
    long ended = now - read.agoNanos();
    long began = ended - read.tookNanos();
    if (state == State.CLEAR && !others.expected()) {
      if (!others.open()) {
        listenWhileReading(baseline, baselines.singles(node), read, ended);
      }
    } else if (began - since >= 0) {
      testAsked = Optional.empty();
      testsLost = 0;
      lastTest = ended;
      SingleReads singles = baselines.singles(node);
      if (read.underWay() > ALONE) {
        // What began as prefetching was just being stopped does not count.
        if (baseline.known() && began - since > STOPPED.toNanos()) {
          judge(baseline.excess(time), began, ended);
        }
      } else {
        boolean known = singles.known();
        double excess = known ? singles.excess(time) : 0;
        if (gap || !known) {
          singles.learn(time);
        }
        if (known) {
          judge(excess, began, ended);
        }
      }
    }
  }

  private void listenWhileReading(
      ReadBaseline baseline, SingleReads singles, ReadTime read, long ended) {
    double time = logTime(read);
    long began = ended - read.tookNanos();
    if (read.underWay() <= ALONE && !singles.known()) {
      singles.learn(time);
    }
    if (ended - listenedAt > GAP.toNanos()) {
      riseAt = ended;
      listen(ended, true);
    } else if (baseline.known()) {
      compare(baseline, time, began, ended);
    }
    if (state == State.CLEAR) {
      baseline.learn(time);
    }
  }

  private void compare(ReadBaseline baseline, double time, long began, long ended) {
    double excess = baseline.excess(time);
    double allowance = Math.max(ALLOWANCE, ALLOWANCE_SPREADS * baseline.spread());
    double step = excess - allowance * (1 + (distrust - 1) / 4);
    if (step <= 0) {
      usualEnd = ended;
    }
    if (rise == 0 && step > 0) {
      riseAt = Math.max(began, usualEnd);
    }
    rise = Math.max(0, rise + Math.max(-MOST_AT_ONCE, Math.min(MOST_AT_ONCE, step)));
    double alarm = Math.max(ALARM, ALARM_SPREADS * baseline.spread()) * distrust;
    if (rise > alarm) {
      listen(ended, false);
    }
  }

  /**
   * Another source suspects somebody's I/O, without being sure.
   *
   * @param from when it began
   */
  public void suspect(long from, long now) {
    // Distrust grows with each suspicion that came to nothing, and fades.
    if (state == State.CLEAR && !others.open() && distrust < 1.2) {
      riseAt = from;
      listen(now, false);
    }
  }

  /**
   * Takes how long reads of a node have taken that have not ended: beside somebody's burst they are
   * overdue before the first one ends. One of them may be; several at once are an alarm.
   */
  public void observeUnderWay(String node, List<ReadTime> reads, long now) {
    if (state != State.CLEAR || others.open() || others.expected()) {
      overdue.clear();
      return;
    }
    long many = reads.stream().filter(read -> overdue(node, read)).count();
    overdue.put(node, new Overdue(many, now));
    overdue.values().removeIf(each -> now - each.at > OVERDUE_COUNTS.toNanos());
    if (overdue.values().stream().mapToLong(Overdue::reads).sum() >= OVERDUE_READS * distrust) {
      overdue.clear();
      riseAt = usualEnd;
      listen(now, false);
    }
  }

  private boolean overdue(String node, ReadTime read) {
    return read.bytes() > largest / 2
        && baselines
            .known(node, read)
            .filter(b -> b.excess(logTime(read)) > Math.max(OVERDUE, OVERDUE_SPREADS * b.spread()))
            .isPresent();
  }

  private static double logTime(ReadTime read) {
    return Math.log((double) Math.max(1, read.tookNanos()));
  }

  private void listen(long now, boolean asPlanned) {
    gap = asPlanned;
    testsLost = 0;
    state = State.LISTENING;
    since = now;
    rise = 0;
    verdict = 0;
    testAsked = Optional.empty();
  }

  private void judge(double excess, long began, long ended) {
    if (verdict <= 0 && state == State.CLEAR) {
      riseAt = began; // the first slow one while a phase is expected
    }
    verdict += Math.min(MOST_BY_ONE, excess - UNDECIDED);
    if (state == State.FOREIGN) {
      verdict = Math.min(0, verdict); // that it goes on is known already
    }
    if (verdict <= IDLE) {
      verdict = 0;
      if (state != State.CLEAR) {
        clear(state == State.LISTENING, began, ended);
      }
    } else if (verdict >= BUSY) {
      verdict = 0;
      if (state != State.FOREIGN) {
        open();
      }
    }
  }

  private void open() {
    state = State.FOREIGN;
    gap = false;
    wait = SOON.toNanos();
    nearEnd = false;
    if (!others.open()) {
      var evidence = new Evidence(Evidence.SOMEBODY, KIND.name(), riseAt, KIND.confidence());
      phase = Optional.of(evidence);
      listener.opened(evidence);
    }
  }

  private void clear(boolean inVain, long at, long now) {
    listenedAt = now;
    if (inVain) {
      listened += now - since;
    }
    if (inVain && !gap) {
      disputes++;
      distrust = Math.min(LEAST_TRUST, distrust * LESS_TRUST);
    }
    phase.ifPresent(
        open -> {
          usual.add(at - open.since());
          listener.closed(open, Math.max(at, open.since()), Ending.QUIET);
        });
    phase = Optional.empty();
    state = State.CLEAR;
    rise = 0;
    usualEnd = now;
    testAsked = Optional.empty();
  }

  /**
   * A source that sees everybody's bytes has seen none but ours in an interval.
   *
   * @param from its begin
   */
  public void noteSilence(long from, long now) {
    if (state != State.CLEAR && from - since >= 0) {
      clear(state == State.LISTENING, from, now);
    }
  }

  /** Lets time pass. */
  public void advance(Others known, long now) {
    if (others.open() != known.open() || others.expected() != known.expected()) {
      // Reads begin or stop: what was heard before says nothing of what comes.
      rise = 0;
      usualEnd = now;
      verdict = state == State.CLEAR ? 0 : verdict;
      since = state == State.CLEAR ? now : since;
    }
    if (known.open() && state == State.LISTENING) {
      // They know better, and prefetching is held for them.
      state = State.CLEAR;
    }
    others = known;
    distrust =
        1 + (distrust - 1) * Math.pow(FORGIVEN_A_SECOND, Math.max(0, now - forgivenAt) / 1e9);
    forgivenAt = now;
  }

  /** Whether a node should read a single chunk now, to tell how busy the origin is. */
  public boolean wantsTest(long now) {
    boolean seenAnyway = others.exact() && state != State.LISTENING;
    boolean nothingGoesOn = state == State.CLEAR && !others.expected();
    if (others.open() || seenAnyway || nothingGoesOn) {
      return false;
    }
    if (testAsked.isPresent()) {
      return now - testAsked.get() > TEST_LOST.toNanos();
    }
    return switch (state) {
      case LISTENING -> true;
      case CLEAR -> verdict > 0 || now - lastTest >= EXPECTING.toNanos();
      case FOREIGN -> verdict < 0 || now - lastTest >= wait;
    };
  }

  /** Notes that a node was given leave for a single read. */
  public void noteTest(long now) {
    if (testAsked.isPresent() && ++testsLost == MOST_LOST && state != State.CLEAR) {
      giveUp(now);
      return;
    }
    testAsked = Optional.of(now);
    if (state == State.FOREIGN) {
      wait = Math.min((double) LATE.toNanos(), wait * LATER);
      boolean due = phase.flatMap(p -> usual.ending(p.since())).filter(e -> now >= e).isPresent();
      if (due && !nearEnd) {
        nearEnd = true;
        wait = SOON.toNanos();
      }
    }
  }

  /** Nobody reads any more, so nobody is in the way, and nothing is heard. */
  private void giveUp(long now) {
    phase.ifPresent(
        open -> listener.closed(open, Math.max(lastTest, open.since()), Ending.SOURCE_LOST));
    phase = Optional.empty();
    state = State.CLEAR;
    testsLost = 0;
    testAsked = Optional.empty();
    listenedAt = now;
  }

  /** Forgets a node that has left. */
  public void forget(String node) {
    baselines.forget(node);
    overdue.remove(node);
  }

  @Override
  public List<Evidence> openPhases(long now) {
    return phase.stream().toList();
  }

  @Override
  public boolean busyAfter(String application, long time) {
    return phase.isPresent() && since - time >= 0;
  }

  @Override
  public void expire(long now) {}

  @Override
  public SourceHealth health(long now) {
    Duration age = heard ? Duration.ofNanos(Math.max(0, now - heardAt)) : Duration.ZERO;
    return heard
        ? new SourceHealth(KIND.name(), SourceHealth.State.FRESH, age, "")
        : new SourceHealth(
            KIND.name(), SourceHealth.State.ABSENT, age, "nothing was read from the origin yet");
  }
}
