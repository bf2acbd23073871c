package io.eley.controller.loop;

import io.eley.bb.api.ReadCause;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;

/**
 * What clients have moved past the buffer of late, so that the begin and the end of a phase can be
 * put where they were when they are known only afterwards. A report says how long ago its bytes
 * moved on average, and they are taken to have moved evenly about that moment.
 *
 * <p>Not thread-safe. Times are nanoseconds of the coordinator's monotonic clock.
 */
final class PastReads {
  /** Nobody looks back further: phases are noticed, and found to be over, within seconds. */
  private static final long KEPT = Duration.ofSeconds(30).toNanos();

  /** A client reports four times a second; the rest is its way, and a busy machine. */
  private static final long LAG = Duration.ofMillis(500).toNanos();

  private final Deque<PastRead> recent = new ArrayDeque<>();

  void add(PastRead read) {
    recent.add(read);
    while (read.to() - recent.getFirst().to() > KEPT) {
      recent.remove();
    }
  }

  /** Whether all that was moved until then has been reported. */
  boolean complete(long until, long now) {
    return now - until >= LAG || recent.isEmpty() || now - recent.getLast().to() >= 2 * LAG;
  }

  /** Bytes by cause since a moment, as far as they are reported. */
  Map<ReadCause, Double> since(long begin) {
    var sums = new EnumMap<ReadCause, Double>(ReadCause.class);
    for (PastRead read : recent) {
      sums.merge(read.cause(), read.between(begin, read.to()), Double::sum);
    }
    return sums;
  }
}
