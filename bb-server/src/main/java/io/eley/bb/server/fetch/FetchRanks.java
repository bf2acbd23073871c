package io.eley.bb.server.fetch;

import io.eley.bb.api.ReadCause;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The fetches that wait, by rank: demand, read-ahead, prefetch; within a rank in the order of
 * asking. A fetch that comes back after a chunk has its former place. Not safe for several threads.
 */
final class FetchRanks {
  /** The causes a node fetches for, the highest rank first. */
  static final List<ReadCause> CAUSES =
      List.of(ReadCause.DEMAND, ReadCause.READ_AHEAD, ReadCause.PREFETCH);

  private final Map<ReadCause, SortedSet<FetchJob>> waiting = new EnumMap<>(ReadCause.class);
  private long places;

  FetchRanks() {
    CAUSES.forEach(c -> waiting.put(c, new TreeSet<>(Comparator.comparingLong(j -> j.place))));
  }

  /** Whether the first cause goes before the second. */
  static boolean higher(ReadCause one, ReadCause other) {
    return CAUSES.indexOf(one) < CAUSES.indexOf(other);
  }

  /** Gives the fetch the last place of its rank; it waits when it is added. */
  void place(FetchJob job) {
    job.place = places++;
  }

  void add(FetchJob job) {
    rank(job.cause).add(job);
  }

  void remove(FetchJob job) {
    rank(job.cause).remove(job);
  }

  @Nullable FetchJob first(ReadCause cause) {
    return rank(cause).isEmpty() ? null : rank(cause).first();
  }

  /** Those of a rank in their order, for a look. */
  Iterable<FetchJob> of(ReadCause cause) {
    return rank(cause);
  }

  int size() {
    return waiting.values().stream().mapToInt(Collection::size).sum();
  }

  void clear() {
    waiting.values().forEach(Collection::clear);
  }

  private SortedSet<FetchJob> rank(ReadCause cause) {
    return Objects.requireNonNull(waiting.get(cause));
  }
}
