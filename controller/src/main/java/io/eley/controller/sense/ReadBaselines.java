package io.eley.controller.sense;

import io.eley.bb.api.ReadTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The baselines of all nodes, one for each load of ours: a read that shares its mount and the
 * servers with seven others of ours takes longer than one that is alone, with nobody else about.
 *
 * <p>What a load takes that was hardly met yet is bounded by what is known of others: a mount that
 * serves one read after the other takes so many times a single read, and servers at their limit
 * take a time for each read under way anywhere (Little, Operations Research 9, 1961).
 *
 * <p>Not thread-safe. Times are logarithms of nanoseconds.
 */
final class ReadBaselines {
  /**
   * Added to each read's time: where chunks come within a few milliseconds what makes them longer
   * is the machine, not the origin.
   */
  private static final Duration FLOOR = Duration.ofMillis(10);

  /** How long a node's last word on its load is taken to hold. */
  private static final long LOAD_NANOS = 500_000_000;

  /** Single reads are the yardstick for everything else, so it is the fast ones that count. */
  private static final double LOWER_QUARTILE = 0.25;

  /** From so many reads under way on, the servers' rate says how long each takes. */
  private static final double MANY = 2;

  /**
   * So many times the reads that keep the origin busy are useful: with fewer it could not be seen
   * that more would be.
   */
  private static final double HEADROOM = 1.5;

  /**
   * What speaks neither for somebody's I/O nor against it: so many times the distance between slow
   * single reads and fast ones, but a read that takes 1.28 to 2 times as long as usual.
   */
  private static final double NEITHER_SPREADS = 1.4;

  private static final double NEITHER_LEAST = 0.25;
  private static final double NEITHER_MOST = 0.7;

  /** What is derived from other loads may be so far off. */
  private static final double MARGIN = 1.25;

  private record Key(String node, int ofNode, int ofAll) {}

  private record Load(double underWay, long at) {}

  private final Map<Key, ReadBaseline> baselines = new HashMap<>();
  private final Map<String, RecentQuantile> singles = new HashMap<>();
  private final Map<String, Load> loads = new HashMap<>();

  /** Times of reads, each a part of that of all that were under way. */
  private final RecentQuantile shares = new RecentQuantile();

  /** The logarithm of how long a read took. */
  static double time(ReadTime read) {
    return Math.log((double) read.tookNanos() + FLOOR.toNanos());
  }

  /** The baseline of a read, with others of ours under way now; new when there is none. */
  ReadBaseline of(String node, ReadTime read, long now) {
    loads.put(node, new Load(read.underWay(), now));
    loads.values().removeIf(load -> now - load.at > LOAD_NANOS);
    var key = new Key(node, doubling(read.underWay()), doubling(underWay()));
    ReadBaseline baseline = baselines.computeIfAbsent(key, k -> new ReadBaseline());
    most(node, read.underWay()).ifPresent(baseline::atMost);
    return baseline;
  }

  /** Learns from a read that met nobody, as far as that is known. */
  void learn(ReadBaseline baseline, ReadTime read, long ended) {
    baseline.learn(time(read), ended);
    if (underWay() >= MANY) {
      shares.learn(Math.log(read.tookNanos() / underWay()), ended);
    }
  }

  private double underWay() {
    return loads.values().stream().mapToDouble(Load::underWay).sum();
  }

  private Optional<Double> most(String node, double ofNode) {
    RecentQuantile alone = singles(node);
    if (!alone.known()) {
      return Optional.empty();
    }
    double single = single(alone);
    double share = shares.known() ? Math.exp(shares.value(LOWER_QUARTILE)) : single;
    double served = Math.max(single * ofNode, share * underWay());
    return Optional.of(Math.log(MARGIN * served + FLOOR.toNanos()));
  }

  /**
   * How many reads of a node at once are useful, at least {@value #MANY}: those under way at the
   * rate of many are as many as that rate times what a single one takes (Little), and more only
   * wait for each other; an HPC application would have to wait for them, too. Empty until both are
   * known.
   */
  Optional<Integer> useful(String node) {
    RecentQuantile alone = singles(node);
    if (!alone.known() || !shares.known()) {
      return Optional.empty();
    }
    double ofAll = single(alone) / Math.exp(shares.value(LOWER_QUARTILE));
    return Optional.of((int) Math.ceil(Math.max(MANY, HEADROOM * ofAll / singles.size())));
  }

  private static double single(RecentQuantile alone) {
    return Math.max(1, Math.exp(alone.value(LOWER_QUARTILE)) - FLOOR.toNanos());
  }

  /** What a read of a node takes that has not ended, as far as that is known. */
  Optional<ReadBaseline> known(String node, ReadTime read) {
    var key = new Key(node, doubling(read.underWay()), doubling(underWay()));
    return Optional.ofNullable(baselines.get(key)).filter(ReadBaseline::known);
  }

  /** How much longer a single read of a node took than they usually do, as a logarithm. */
  double excess(String node, ReadTime single) {
    return time(single) - singles(node).value(LOWER_QUARTILE);
  }

  /**
   * The excess of a single read of a node that tells nothing: the less they differ, the smaller a
   * rise is heard. On a faster file system more of a read is latency, and beside somebody's I/O it
   * takes but 1.6 to 1.9 times as long.
   */
  double neither(String node) {
    RecentQuantile alone = singles(node);
    double least = alone.wellKnown() ? NEITHER_LEAST : BusyTest.NEITHER;
    return Math.min(NEITHER_MOST, Math.max(least, NEITHER_SPREADS * spread(node)));
  }

  /** How far apart single reads of a node usually are, as a logarithm. */
  double spread(String node) {
    RecentQuantile alone = singles(node);
    return alone.known() ? alone.spread() : 0;
  }

  /** What single reads of the node take whose are the fastest; empty when none is known. */
  OptionalDouble fastestSingles() {
    return singles.values().stream()
        .filter(RecentQuantile::known)
        .mapToDouble(alone -> alone.value(LOWER_QUARTILE))
        .min();
  }

  /** What single reads of a node take. */
  RecentQuantile singles(String node) {
    return singles.computeIfAbsent(node, n -> new RecentQuantile());
  }

  void forget(String node) {
    baselines.keySet().removeIf(key -> key.node.equals(node));
    loads.remove(node);
    singles.remove(node);
  }

  /** Loads within a factor of the square root of two of 1, 2, 4, 8 … share a baseline. */
  private static int doubling(double underWay) {
    return (int) Math.round(Math.log(Math.max(1, underWay)) / Math.log(2));
  }
}
