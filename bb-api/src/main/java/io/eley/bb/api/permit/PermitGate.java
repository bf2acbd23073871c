package io.eley.bb.api.permit;

import io.eley.bb.api.Permit;
import io.eley.bb.api.Permit.Lane;
import io.eley.bb.api.ReadCause;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds the node's permit and says, before each chunk, whether it may be read from the origin now.
 *
 * <p>While a permit is live its two lanes hold. When it lapses, and before the first one:
 *
 * <ul>
 *   <li>prefetching and read-ahead stop at once;
 *   <li>demand stops too, since it is not known any more whether an HPC application does I/O, but
 *       only for {@code eley.delay.max} since the lapse; then it goes at {@code
 *       eley.delay.capped-rate}.
 * </ul>
 *
 * Example, 60 s and 16 MiB/s: a permit of 2 s comes at 0 s, the coordinator dies at 1 s.
 * Prefetching stops at 2 s, demand too; from 62 s on demand goes at 16 MiB/s until a permit comes.
 *
 * <p>Where a permit says how many chunks may be prefetched at once, a single one goes first after a
 * silence, and one more at once with each that is over (slow start): who has begun to use the
 * origin meanwhile meets, and is noticed by, that one and not by many.
 *
 * <p>State and arithmetic only: the clock is injected, no thread is started, nothing blocks. Safe
 * for several threads. A permit that closes a lane holds for every chunk that is entered after
 * {@link #apply} has returned; chunks that were entered before run to their end, at most one per
 * fetcher thread.
 */
public final class PermitGate {
  /** The lane will not open by time alone. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Longer lives are cut to this, so that adding them to the clock cannot overflow. */
  private static final long MAX_LIFE_NANOS = Long.MAX_VALUE / 4;

  /** Nothing was heard of the origin for so long: somebody may have begun to use it. */
  private static final long SILENCE_NANOS = 250_000_000;

  private final long delayMaxNanos;
  private final long cappedRate;
  private int sharers = 1;
  private final int usualFetches;
  private final LongSupplier clock;
  private final Traffic prefetch;
  private final Traffic demand;
  private @Nullable Permit permit;

  /** When the permit lapses or lapsed. */
  private long lapse;

  private boolean issuerIsNew = true;
  private volatile Runnable listener = () -> {};

  /** The chunks of one lane: how many are under way, and how fast they may follow. */
  private static final class Traffic {
    final TokenBucket bucket;
    int underWay;
    long bytesUnderWay;

    /** Entered under the present permit. */
    long bytes;

    private long bytesSinceSilence;
    private int ramp = 1;
    private long idleSince;

    Traffic(long now) {
      bucket = new TokenBucket(now);
      idleSince = now - SILENCE_NANOS;
    }

    void enter(int more, long now) {
      if (underWay == 0 && now - idleSince >= SILENCE_NANOS) {
        ramp = 1;
        bytesSinceSilence = 0;
      }
      bucket.take(more);
      underWay++;
      bytesUnderWay += more;
      bytes += more;
      bytesSinceSilence += more;
    }

    void leave(int less, long now) {
      underWay--;
      bytesUnderWay -= less;
      idleSince = now;
      if (bytesSinceSilence > 0 && ramp < Integer.MAX_VALUE) {
        ramp++;
      }
    }

    /** Whether one more may go: first a single one, and one more at once with each that is over. */
    boolean rampHasRoom() {
      return underWay < ramp;
    }
  }

  /**
   * Closed until the first permit; counts as lapsed now.
   *
   * @param delayMax see {@code eley.delay.max}
   * @param cappedRate of all nodes, bytes a second, see {@code eley.delay.capped-rate}; positive
   * @param usualFetches at once, of both lanes together, where a lane does not say how many; as
   *     many as may be prefetched where that is more
   * @param nanos a monotonic clock, {@code System::nanoTime}
   */
  public PermitGate(Duration delayMax, long cappedRate, int usualFetches, LongSupplier nanos) {
    this.usualFetches = usualFetches;
    delayMaxNanos = delayMax.toNanos();
    this.cappedRate = cappedRate;
    clock = nanos;
    lapse = nanos.getAsLong();
    prefetch = new Traffic(lapse);
    demand = new Traffic(lapse);
  }

  /**
   * Obeys this permit from the moment this returns.
   *
   * @return false, and nothing is changed, when it is older than the one that holds
   */
  public boolean apply(Permit newer) {
    synchronized (this) {
      if (permit != null && !issuerIsNew && newer.sequence() <= permit.sequence()) {
        return false;
      }
      permit = newer;
      prefetch.bytes = 0;
      demand.bytes = 0;
      issuerIsNew = false;
      lapse = clock.getAsLong() + lifeNanos(newer.timeToLive());
    }
    listener.run();
    return true;
  }

  /**
   * Notes that there is a new connection, perhaps to a new coordinator: its first permit is applied
   * whatever its number, because no permit of an older connection can arrive on it. The present
   * permit is kept until it lapses.
   */
  public synchronized void acceptNewIssuer() {
    issuerIsNew = true;
  }

  /** Sets how many nodes share the capped rate, this one included; one before the first call. */
  public synchronized void shareCappedRate(int nodes) {
    sharers = Math.max(1, nodes);
  }

  /** Whether prefetching may go on now. */
  public synchronized boolean prefetchOpen() {
    return !lane(ReadCause.PREFETCH, clock.getAsLong()).closed();
  }

  /** Whether a permit is live. */
  public synchronized boolean live() {
    return live(clock.getAsLong());
  }

  /**
   * Whether nobody has said for this long whether the origin may be read, though the last that was
   * said was no hold of demand: a coordinator that is away, not a phase, keeps readers waiting.
   */
  public synchronized boolean unheard(Duration grace) {
    boolean held = permit != null && permit.demand().held();
    return !held && clock.getAsLong() - lapse >= grace.toNanos();
  }

  /** Sequence of the last permit applied; 0 before the first of the present connection. */
  public synchronized long sequence() {
    return permit == null || issuerIsNew ? 0 : permit.sequence();
  }

  /**
   * Sets what runs after each permit that was applied, on the thread that applied it, with no lock
   * held.
   */
  public void setListener(Runnable action) {
    listener = action;
  }

  /**
   * Lets one chunk enter, if it may now.
   *
   * @param bytes of the chunk; 0 for a call that reads none, such as opening the file
   * @return whether it may; then {@link #leave} follows
   */
  public synchronized boolean tryEnter(ReadCause cause, int bytes) {
    long now = clock.getAsLong();
    if (nanosUntilOpen(cause, now) > 0) {
      return false;
    }
    traffic(cause).enter(bytes, now);
    return true;
  }

  /** Whether none may enter now: one of several small reads that entered together asks between. */
  public synchronized boolean closed(ReadCause cause) {
    return lane(cause, clock.getAsLong()).closed();
  }

  /**
   * Notes that a chunk which had entered is over.
   *
   * @param bytes with which it entered
   */
  public synchronized void leave(ReadCause cause, int bytes) {
    traffic(cause).leave(bytes, clock.getAsLong());
  }

  /** Bytes of chunks that have entered and are not over: what a hold cannot stop any more. */
  public synchronized long bytesUnderWay() {
    return prefetch.bytesUnderWay + demand.bytesUnderWay;
  }

  /**
   * How long to wait before asking again, when neither a permit nor a {@link #leave} comes.
   *
   * @return nanoseconds; 0 is now; {@link #NEVER}
   */
  public synchronized long nanosUntilOpen(ReadCause cause) {
    return nanosUntilOpen(cause, clock.getAsLong());
  }

  private long nanosUntilOpen(ReadCause cause, long now) {
    Lane lane = lane(cause, now);
    Traffic traffic = traffic(cause);
    if (lane.closed() || !hasRoom(lane, traffic, now)) {
      return nanosUntilCapped(cause, now);
    }
    traffic.bucket.setRate(lane.bytesPerSecond(), now);
    return traffic.bucket.nanosUntilReady(now);
  }

  /** A permit that is used up lapses as a hold does, and lets demand go when that has lasted. */
  private long nanosUntilCapped(ReadCause cause, long now) {
    long left = lapse + delayMaxNanos - now;
    return cause == ReadCause.DEMAND && left > 0 ? left : NEVER;
  }

  private boolean hasRoom(Lane lane, Traffic traffic, long now) {
    if (permit != null && live(now) && permit.sharesTest()) {
      // One chunk in all: two at once would not tell how long a single one takes.
      return prefetch.bytes + demand.bytes == 0 && prefetch.underWay + demand.underWay == 0;
    }
    if (traffic.bytes >= lane.bytes()) {
      return false;
    }
    return lane.concurrentFetches() == Lane.OPEN.concurrentFetches()
        ? prefetch.underWay + demand.underWay < mostTogether(now)
        : traffic.underWay < lane.concurrentFetches()
            && (traffic != prefetch || traffic.rampHasRoom());
  }

  /**
   * How many of both lanes where one does not say how many. Who may prefetch with more than usual
   * would leave demand no place otherwise, for it would take each that becomes free.
   */
  private int mostTogether(long now) {
    int prefetches = lane(ReadCause.PREFETCH, now).concurrentFetches();
    return prefetches == Lane.OPEN.concurrentFetches()
        ? usualFetches
        : Math.max(usualFetches, prefetches);
  }

  private Lane lane(ReadCause cause, long now) {
    if (permit != null && live(now)) {
      return cause == ReadCause.DEMAND ? permit.demand() : permit.prefetch();
    }
    boolean heldLongEnough = now - lapse >= delayMaxNanos;
    return cause == ReadCause.DEMAND && heldLongEnough
        ? Lane.share(cappedRate, sharers)
        : Lane.CLOSED;
  }

  private boolean live(long now) {
    return permit != null && now - lapse < 0;
  }

  private Traffic traffic(ReadCause cause) {
    return cause == ReadCause.DEMAND ? demand : prefetch;
  }

  private static long lifeNanos(Duration life) {
    return life.compareTo(Duration.ofNanos(MAX_LIFE_NANOS)) > 0 ? MAX_LIFE_NANOS : life.toNanos();
  }
}
