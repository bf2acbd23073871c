package io.eley.bb.server.scratch;

import io.eley.bb.api.edge.Tombstones;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Shuffles of living applications that nobody will read any more. A shuffle may be dropped before
 * its application has a service here, and services come and go.
 *
 * <p>For one thread at a time.
 */
final class DroppedShuffles {
  /** Names come from outside. */
  private static final int APPLICATIONS_MOST = 1024;

  /** Shuffles have ascending numbers, and a task does not outlive its shuffle by so many. */
  private static final int MOST = 4096;

  private final LongSupplier nanos;

  /** By application; the one that has dropped nothing for longest comes first. */
  private final Map<String, Tombstones<Integer>> dropped = new LinkedHashMap<>();

  DroppedShuffles(LongSupplier nanos) {
    this.nanos = nanos;
  }

  void add(String application, int shuffle) {
    Tombstones<Integer> known = dropped.remove(application);
    var own = known == null ? new Tombstones<Integer>(MOST, Duration.ofDays(1), nanos) : known;
    own.add(shuffle);
    dropped.put(application, own);
    if (dropped.size() > APPLICATIONS_MOST) {
      dropped.remove(dropped.keySet().iterator().next());
    }
  }

  boolean has(String application, int shuffle) {
    Tombstones<Integer> own = dropped.get(application);
    return own != null && own.has(shuffle);
  }

  /** The application has ended: should its name be meant again one day, so are its numbers. */
  void end(String application) {
    dropped.remove(application);
  }
}
