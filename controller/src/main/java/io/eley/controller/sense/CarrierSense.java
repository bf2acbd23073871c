package io.eley.controller.sense;

import io.eley.bb.api.ReadTime;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.PhaseListener;
import io.eley.controller.phase.PhaseListener.Ending;
import io.eley.controller.phase.PhaseSource;
import io.eley.controller.phase.SourceHealth;
import io.eley.controller.phase.SourceKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

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
 *   <li><b>A rise</b> of the times of reads ({@link RiseAlarm}) stops prefetching. That is cheap,
 *       so little evidence is enough.
 *   <li><b>Listening</b>: once all our reads are over, single ones follow each other until a test
 *       has decided ({@link BusyTest}). They are prefetches that are wanted anyway.
 *   <li><b>A rise that was nothing</b> makes it harder to alarm for a while ({@link Trust}), so
 *       disputes cost little however noisy the origin is.
 *   <li><b>The end is felt, too.</b> While no other source sees the phase, single reads go on at
 *       growing distances ({@link SingleReadTimes}). When a source that sees everybody's bytes is
 *       there, it says when it is silent, and no reads are needed.
 * </ul>
 *
 * <p>What single reads take must be known for all of this: until it is a node reads one chunk at a
 * time, and every {@link #GAP} of reading (at first {@link #FIRST_GAPS}) there is a gap for one
 * single read, so that it stays known, and an application is found that began so gently that no
 * rise was heard.
 *
 * <p>Not thread-safe: one thread owns it. Times are nanoseconds of a monotonic clock.
 */
public final class CarrierSense implements PhaseSource {
  public static final SourceKind KIND =
      SourceKind.sampled("reads", 0.7, Duration.ofMillis(100), Duration.ofSeconds(10))
          .within(Duration.ofMillis(400));

  /** Between two listening gaps while we read. */
  static final Duration GAP = Duration.ofSeconds(10);

  /**
   * The same while a node has made but a few single reads: the first ones may have been slow, as
   * everything is that starts, or quicker than most. However far apart, so many gaps it takes.
   */
  static final Duration FIRST_GAPS = Duration.ofSeconds(1);

  /** Counters that could not be exact for so long do not spare us the single reads. */
  private static final Duration EXACT_WITHIN = Duration.ofSeconds(2);

  /** A deployment's word that it has begun to read is here so long after it has. */
  private static final Duration WORD = Duration.ofMillis(700);

  /** So long after prefetching was told to stop it has. */
  private static final Duration STOPPED = Duration.ofMillis(150);

  /** Somebody who is felt for longer may be no application; nothing that is felt can tell. */
  private static final Duration LONG = Duration.ofMinutes(15);

  /** Less than so many reads of a node under way on average are a single one. */
  private static final double ALONE = 1.2;

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
  private final Trust trust = new Trust();
  private final RiseAlarm alarm = new RiseAlarm(trust);
  private final BusyTest test = new BusyTest();
  private final SingleReadTimes singles = new SingleReadTimes();
  private final UnjudgedSingles unjudged = new UnjudgedSingles();
  private final UsualLength usual = new UsualLength(KIND.resolution());
  private State state = State.CLEAR;
  private Others others = Others.NONE;

  /** Begin of the state, or of what the others know. */
  private long since;

  /** When somebody began, if there is somebody. */
  private long suspected;

  /** Whether it listens though nothing was heard. */
  private boolean gap;

  /** Whether it listens, or did last, since the phase of an application with a name was over. */
  private boolean afterNamed;

  private boolean neighbours;
  private boolean deaf;
  private Optional<Evidence> phase = Optional.empty();
  private long listenedAt;
  private long exactAt;
  private int largest = 1;
  private boolean heard;
  private long heardAt;
  private long inVain;
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
    return Duration.ofNanos(inVain);
  }

  /** How often it has listened for nothing since the start. */
  public int disputes() {
    return disputes;
  }

  /** Whether a deployment of ours loads the origin, so that a rise says nothing. */
  public boolean deaf() {
    return deaf;
  }

  /**
   * Takes whether other deployments of ours are there, and whether one of them loads the origin.
   * While one does, what our reads take says nothing of anybody else: no rise is heard, and nobody
   * knows whether somebody who was heard goes on.
   */
  public void noteNeighbours(boolean there, boolean loading, long now) {
    neighbours = there;
    if (deaf == loading) {
      return;
    }
    deaf = loading;
    alarm.reset(now);
    listenedAt = now;
    if (loading && state != State.CLEAR) {
      close(now, Ending.SOURCE_LOST, now);
    }
    test.begin();
    since = now; // a read that met the neighbour says nothing of whoever is expected
  }

  /**
   * Whether a node should read one chunk at a time for now, since it is not known yet what that
   * takes.
   */
  public boolean learns(String node) {
    return !baselines.singles(node).known();
  }

  /** How many reads of a node at once are useful; empty as long as that is not known. */
  public Optional<Integer> useful(String node) {
    return baselines.useful(node);
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
    long ended = now - read.agoNanos();
    long began = ended - read.tookNanos();
    if (state != State.CLEAR || (others.expected() && !others.open() && !deaf)) {
      if (began - since >= 0) {
        singles.came(ended);
        test(node, baseline, read, ended);
      }
    } else if (!others.open() && !deaf) {
      listenWhileReading(baseline, baselines.singles(node), read, ended);
    }
  }

  private void listenWhileReading(
      ReadBaseline baseline, RecentQuantile alone, ReadTime read, long ended) {
    double time = ReadBaselines.time(read);
    unjudged.advance(ended);
    if (read.underWay() <= ALONE) {
      unjudged.add(alone, time, ended);
    }
    Duration gapDue = alone.wellKnown() ? GAP : FIRST_GAPS;
    if (ended - listenedAt > gapDue.toNanos()) {
      listen(ended, ended, true);
    } else if (baseline.known() && alarm.hear(baseline, time, ended - read.tookNanos(), ended)) {
      listen(alarm.since(), ended, false);
    } else {
      baselines.learn(baseline, read, ended);
    }
  }

  /** Takes a read that was made while prefetching is held. */
  private void test(String node, ReadBaseline baseline, ReadTime read, long ended) {
    double time = ReadBaselines.time(read);
    long began = ended - read.tookNanos();
    if (read.underWay() > ALONE) {
      // One that tasks wait for. What began as prefetching was just being stopped does not count.
      if (baseline.known() && began - since > STOPPED.toNanos()) {
        judge(baseline.excess(time), BusyTest.NEITHER, baselines.spread(node), began, ended);
      }
      return;
    }
    RecentQuantile alone = baselines.singles(node);
    boolean known = alone.known();
    if (state == State.FOREIGN && !known) {
      testOfNewcomer(time, began, ended);
      return;
    }
    double excess = known ? baselines.excess(node, read) : 0;
    double neither = baselines.neither(node);
    double spread = baselines.spread(node);
    if (gap || !known) {
      unjudged.add(alone, time, ended);
    }
    if (known) {
      judge(excess, neither, spread, began, ended);
    }
  }

  /**
   * A node that has joined in a phase has met nothing but the phase, so what it takes is not what
   * is usual: others' single reads are.
   */
  private void testOfNewcomer(double time, long began, long ended) {
    OptionalDouble usualElsewhere = baselines.fastestSingles();
    if (usualElsewhere.isPresent()) {
      judge(time - usualElsewhere.getAsDouble(), BusyTest.NEITHER, 0, began, ended);
    } else {
      listenAnew(ended, ended);
    }
  }

  private void judge(double excess, double neither, double spread, long began, long ended) {
    if (state == State.FOREIGN) {
      if (test.takeUntilIdle(excess, neither)) {
        clear(began, ended);
      }
      return;
    }
    if (state == State.CLEAR && !test.leansToBusy()) {
      suspected = began; // the first slow one while a phase is expected
    }
    BusyTest.Verdict verdict = test.take(excess, neither, spread);
    if (verdict == BusyTest.Verdict.BUSY) {
      if (!neighbours || ended - suspected > WORD.toNanos()) {
        open();
      }
    } else if (verdict == BusyTest.Verdict.IDLE && state == State.LISTENING) {
      clear(began, ended);
    }
  }

  /**
   * Another source suspects somebody's I/O, without being sure.
   *
   * @param from when it began
   */
  public void suspect(long from, long now) {
    if (state == State.CLEAR && !others.open() && !deaf && trust.nearlyFull()) {
      listen(from, now, false);
    }
  }

  /** Takes how long reads of a node have taken by now that have not ended. */
  public void observeUnderWay(String node, List<ReadTime> reads, long now) {
    if (state == State.CLEAR && !others.open() && !others.expected() && !deaf) {
      long overdue = reads.stream().filter(read -> overdue(node, read)).count();
      if (alarm.hearOverdue(node, overdue, now)) {
        listen(alarm.since(), now, false);
      }
    }
  }

  private boolean overdue(String node, ReadTime read) {
    return read.bytes() > largest / 2
        && baselines
            .known(node, read)
            .filter(baseline -> RiseAlarm.overdue(baseline, ReadBaselines.time(read)))
            .isPresent();
  }

  private void listen(long from, long now, boolean asPlanned) {
    if (!asPlanned) {
      unjudged.learn(from); // what was over when the rise began was as usual
    }
    state = State.LISTENING;
    since = now;
    suspected = from;
    gap = asPlanned;
    afterNamed = false;
    alarm.reset(now);
    test.begin();
    singles.begin();
  }

  private void open() {
    unjudged.drop();
    state = State.FOREIGN;
    gap = false;
    singles.beginPhase();
    var evidence = new Evidence(Evidence.SOMEBODY, KIND.name(), suspected, KIND.confidence());
    phase = Optional.of(evidence);
    usual.begin(suspected);
    listener.opened(evidence);
  }

  private void clear(long at, long now) {
    if (state == State.LISTENING) {
      unjudged.learn(now);
      inVain += now - since;
      if (!gap) {
        disputes++;
        trust.lose();
      }
    }
    phase.ifPresent(open -> usual.end(at));
    close(at, Ending.QUIET, now);
  }

  private void close(long at, Ending why, long now) {
    phase.ifPresent(open -> listener.closed(open, Math.max(at, open.since()), why));
    phase = Optional.empty();
    state = State.CLEAR;
    listenedAt = now;
    alarm.reset(now);
    singles.begin();
  }

  /**
   * A source that sees everybody's bytes has counted an interval with nothing of ours in it.
   *
   * @param from its begin
   * @param silent whether there was nothing of anybody else's, either
   */
  public void noteExact(long from, boolean silent, long now) {
    exactAt = now;
    if (silent && state != State.CLEAR && from - since >= 0) {
      clear(from, now);
    }
  }

  /**
   * The phase of an application that has a name is over. Whoever was felt before or in it may have
   * been that application or another one that goes on: single reads decide, before prefetching does
   * go on.
   */
  public void noteNamedOver(long now) {
    if (state == State.FOREIGN) {
      phase.ifPresent(open -> listener.closed(open, Math.max(now, open.since()), Ending.NAMED));
      phase = Optional.empty();
      listen(now, now, true);
      afterNamed = true;
    }
  }

  /** Whether it listens for who goes on after the phase of an application that has a name. */
  public boolean listensAfterNamed() {
    return state == State.LISTENING && afterNamed;
  }

  /** Lets time pass. */
  public void advance(Others known, long now) {
    if (others.open() != known.open() || others.expected() != known.expected()) {
      // Reads begin or stop: what was heard before says nothing of what comes.
      alarm.reset(now);
      if (state == State.CLEAR) {
        test.begin();
        since = now;
      }
    }
    if (known.open() && state == State.LISTENING) {
      state = State.CLEAR; // they know better, and prefetching is held for them
    }
    others = known;
    trust.advance(now);
  }

  /** Whether a node should read a single chunk now, to tell how busy the origin is. */
  public boolean wantsTest(long now) {
    if (others.open() || deaf || !singles.free(now)) {
      return false;
    }
    return switch (state) {
      case LISTENING -> true;
      case CLEAR ->
          others.expected()
              && !seenByOthers(now)
              && (test.leansToBusy() || singles.dueBeforePhase(now));
      case FOREIGN ->
          !seenByOthers(now)
              && (test.leansToIdle() ? singles.dueToConfirm(now) : singles.dueInPhase(now));
    };
  }

  /**
   * Whether a source of everybody's bytes makes single reads needless. Where something of ours goes
   * on, tasks' reads or clients', it cannot be exact, and would never say that the phase is over.
   */
  private boolean seenByOthers(long now) {
    return others.exact() && now - Math.max(exactAt, since) < EXACT_WITHIN.toNanos();
  }

  /** Notes that a node was given leave for a single read. */
  public void noteTest(long now) {
    if (!singles.ask(now) && state != State.CLEAR) {
      // Nobody reads any more, so nobody is in the way, and nothing is heard.
      listenAnew(singles.cameAt(), now);
    } else if (state == State.FOREIGN) {
      singles.waitLonger(phase.flatMap(p -> usual.ending()), now);
    }
  }

  /** It cannot be told what goes on; whoever reads next is to listen first, for it may go on. */
  private void listenAnew(long at, long now) {
    close(at, Ending.SOURCE_LOST, now);
    listenedAt = now - GAP.toNanos();
  }

  /** Forgets a node that has left. */
  public void forget(String node) {
    baselines.forget(node);
    alarm.forget(node);
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
    if (!heard) {
      return new SourceHealth(
          KIND.name(),
          SourceHealth.State.ABSENT,
          Duration.ZERO,
          "nothing was read from the origin yet");
    }
    Duration age = Duration.ofNanos(Math.max(0, now - heardAt));
    return new SourceHealth(KIND.name(), SourceHealth.State.FRESH, age, doubtOfLongPhase(now));
  }

  private String doubtOfLongPhase(long now) {
    Duration felt = phase.map(open -> Duration.ofNanos(now - open.since())).orElse(Duration.ZERO);
    return felt.compareTo(LONG) < 0
        ? ""
        : "reads have been slow for "
            + felt.toMinutes()
            + " min: where no application does I/O, the origin itself has become slower, and a"
            + " deployment that is started anew takes that for usual";
  }
}
