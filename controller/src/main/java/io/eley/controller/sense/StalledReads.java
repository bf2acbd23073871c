package io.eley.controller.sense;

import io.eley.bb.api.ReadTime;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Calls of nodes to the origin that do not come back: a file server hangs, or a mount does. That is
 * nobody's I/O, however long it takes, so {@link CarrierSense} does not hear of them; people do.
 *
 * <p>Not thread-safe. Times are nanoseconds of a monotonic clock.
 */
public final class StalledReads {
  /** Nodes tell of reads that are under way 25 times a second. */
  private static final long HEARD_WITHIN = Duration.ofSeconds(1).toNanos();

  private record Stall(int reads, long since, long heardAt) {}

  private final Map<String, Stall> stalls = new TreeMap<>();

  /** Those of some reads that say how busy the origin is. */
  public List<ReadTime> timely(List<ReadTime> reads) {
    return reads.stream().filter(read -> !read.hangs()).toList();
  }

  /** Takes how long reads of a node have taken by now that have not ended; none tells nothing. */
  public void note(String node, List<ReadTime> underWay, long now) {
    if (underWay.isEmpty()) {
      return;
    }
    long longest = underWay.stream().mapToLong(ReadTime::tookNanos).max().orElse(0);
    int reads = (int) underWay.stream().filter(ReadTime::hangs).count();
    if (reads == 0) {
      stalls.remove(node);
    } else {
      stalls.put(node, new Stall(reads, now - longest, now));
    }
  }

  /** Forgets a node that has left. */
  public void forget(String node) {
    stalls.remove(node);
  }

  /** A line for people; empty while all reads come back. */
  public Optional<String> describe(long now) {
    stalls.values().removeIf(stall -> now - stall.heardAt > HEARD_WITHIN);
    if (stalls.isEmpty()) {
      return Optional.empty();
    }
    long since = stalls.values().stream().mapToLong(Stall::since).min().orElse(now);
    return Optional.of(
        String.format(
            Locale.ROOT,
            "origin: %d calls of %s have not come back for up to %.0f s: a file server may hang",
            stalls.values().stream().mapToInt(Stall::reads).sum(),
            String.join(", ", stalls.keySet()),
            (now - since) / 1e9));
  }
}
