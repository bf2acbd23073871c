package io.eley.simulation;

import io.eley.bb.api.Permit;
import io.eley.bb.api.ReadCause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The witness: knows from outside which permits each node got and what it did, and records every
 * breach of a promise. It shares no code with the gate that it checks.
 */
final class Watch {
  private static final int MOST_BREACHES = 5;

  private final Duration delayMax;
  private final List<String> breaches = new ArrayList<>();
  private final Map<ReadCause, Long> bytes = new EnumMap<>(ReadCause.class);
  private LongSupplier heldNanos = () -> 0;
  private long mostNanos;
  private long longestWaitNanos;

  Watch(Duration delayMax) {
    this.delayMax = delayMax;
  }

  /**
   * Watches holds too: once prefetching has been held for so long, every node must have heard.
   *
   * @param heldNanos for how long prefetching has been held
   * @param mostNanos a message's longest way, or a permit's life where messages may be lost
   */
  void watchHolds(LongSupplier heldNanos, long mostNanos) {
    this.heldNanos = heldNanos;
    this.mostNanos = mostNanos;
  }

  /** The permits that one node got. */
  static final class NodePermit {
    private @Nullable Permit permit;
    private long lapse;

    /** Prefetched since the permit closed that lane. */
    private long tail;

    void notePermit(Permit newer, long now) {
      if (permit == null || newer.sequence() > permit.sequence()) {
        if (permit == null || !permit.prefetch().closed()) {
          tail = 0;
        }
        permit = newer;
        lapse = now + newer.timeToLive().toNanos();
      }
    }

    /** Whether it allows single chunks in a hold, which tell how busy the origin is. */
    private boolean tests(long now) {
      return permit != null && live(now) && permit.prefetch().held() && !permit.prefetch().closed();
    }

    private boolean live(long now) {
      return permit != null && now < lapse;
    }
  }

  /** Promises 3 and 4: no origin byte without a live permit, but what was held for too long. */
  void checkChunk(String node, NodePermit granted, ReadCause cause, long length, long now) {
    bytes.merge(cause, length, Long::sum);
    if (cause != ReadCause.DEMAND && heldNanos.getAsLong() > mostNanos && !granted.tests(now)) {
      noteBreach(now, node + " prefetches in a hold that it must have heard of");
    }
    Permit permit = granted.permit;
    if (permit != null && granted.live(now)) {
      var lane = cause == ReadCause.DEMAND ? permit.demand() : permit.prefetch();
      if (lane.closed()) {
        noteBreach(now, node + " reads for " + cause + " although its lane is closed");
      }
    } else if (cause != ReadCause.DEMAND) {
      noteBreach(now, node + " reads for " + cause + " without a live permit");
    } else if (now - granted.lapse < delayMax.toNanos()) {
      noteBreach(now, node + " reads for DEMAND too soon after its permit lapsed");
    }
  }

  /**
   * The rest of promise 3: in a hold end the calls that were under way as it began, one for each
   * fetch at most.
   *
   * @param length of a call that has ended
   * @param bound of all of them together
   */
  void checkTail(
      String node, NodePermit granted, ReadCause cause, long length, long bound, long now) {
    Permit permit = granted.permit;
    if (cause != ReadCause.DEMAND && permit != null && permit.prefetch().closed()) {
      granted.tail += length;
      if (granted.tail > bound) {
        noteBreach(now, node + " prefetches " + granted.tail + " bytes in a hold, of " + bound);
      }
    }
  }

  /** Promise 5. */
  void checkUsed(String node, long used, long capacity, long now) {
    if (used > capacity) {
      noteBreach(now, node + " uses " + used + " of " + capacity + " bytes");
    }
  }

  void waited(long nanos) {
    longestWaitNanos = Math.max(longestWaitNanos, nanos);
  }

  /** Bytes that were read past the buffer, by a task itself. */
  void countPast(long length) {
    bytes.merge(ReadCause.FALLBACK, length, Long::sum);
  }

  void noteBreach(long now, String what) {
    if (breaches.size() < MOST_BREACHES) {
      breaches.add(String.format(java.util.Locale.ROOT, "at %.6f s: %s", now / 1e9, what));
    }
  }

  List<String> breaches() {
    return List.copyOf(breaches);
  }

  Map<ReadCause, Long> bytes() {
    return Map.copyOf(bytes);
  }

  /** The longest that a task has waited for one block. */
  double longestWaitSeconds() {
    return longestWaitNanos / 1e9;
  }
}
