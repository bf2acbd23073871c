package io.eley.prefetcher.control;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.UnderWay;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * One phase in the ledger: what the HPC application got, and what we did meanwhile.
 *
 * @param application its name
 * @param source names of the sources that reported it
 * @param predicted what had been forecast of it
 * @param began time of day on the coordinator's clock
 * @param length of the phase, as it was reported
 * @param alone how long it takes alone, as far as that has been learned
 * @param foreignBytesPerSecond that it was seen to move; empty when no source knew
 * @param hold how prefetching was held
 * @param ourBytes what our nodes read from the origin from their confirmation of the hold (or,
 *     where permits stayed open, from their last report before the phase) to their first report
 *     after it, by cause; and what clients moved past them
 * @param metadataCalls for attributes and listings that the coordinator made at the origin while it
 *     was known to be open
 * @param operator that decided when the phase began
 * @param decision its reason
 * @param observed how it ended, and how well its times are known
 */
public record PhaseEntry(
    String application,
    String source,
    Instant began,
    Duration length,
    Optional<Predicted> predicted,
    Optional<Alone> alone,
    Optional<Double> foreignBytesPerSecond,
    Hold hold,
    Map<ReadCause, Long> ourBytes,
    long metadataCalls,
    String operator,
    String decision,
    Observed observed) {
  public PhaseEntry {
    ourBytes = Map.copyOf(ourBytes);
  }

  /**
   * How a phase was observed.
   *
   * @param ending how it ended
   * @param resolution how far off its begin and its end may be; zero when they were announced
   * @param corrections what was corrected when better evidence came, and of how many pieces it is;
   *     empty when there was nothing to correct
   */
  public record Observed(String ending, Duration resolution, String corrections) {
    /** Exactly, with nothing to correct. */
    public static Observed exactly(String ending) {
      return new Observed(ending, Duration.ZERO, "");
    }
  }

  /**
   * A forecast.
   *
   * @param begin when it was expected, time of day
   * @param length how long it was expected to last
   * @param closedBefore whether all nodes held before it began
   */
  public record Predicted(Instant begin, Duration length, boolean closedBefore) {}

  /**
   * A phase's length when nothing of ours disturbs it.
   *
   * @param length the median of the protected phases known
   * @param error their median absolute deviation, as a part of the length
   */
  public record Alone(Duration length, double error) {}

  /**
   * A hold.
   *
   * @param nodes that were there
   * @param confirmed how many obeyed it while the phase lasted; 0 when permits were open at any
   *     time of it, but for a pause that was too short to be seen as one
   * @param tasksPassed whether reads that tasks waited for went on at any time of it: by policy, or
   *     because it had lasted for too long
   * @param latency from the announcement's arrival to the last confirmation; empty when not all
   *     nodes confirmed
   * @param underWay what the nodes were reading when they confirmed, and could not stop
   */
  public record Hold(
      int nodes,
      int confirmed,
      boolean tasksPassed,
      Optional<Duration> latency,
      UnderWay underWay) {
    /** Of nodes that read nothing when they confirmed it. */
    public Hold(int nodes, int confirmed, boolean tasksPassed, Optional<Duration> latency) {
      this(nodes, confirmed, tasksPassed, latency, UnderWay.NONE);
    }

    /** Whether all nodes held everything: the phase was as if alone. */
    public boolean complete() {
      return confirmed == nodes && nodes > 0 && !tasksPassed;
    }
  }

  /** How it ended. */
  public String ending() {
    return observed.ending();
  }

  /**
   * Whether its length is that of a whole phase, so that something can be learned of it: it is not
   * when nobody ended it, when its source was lost, or when it is so short that it may be a
   * fragment.
   */
  public boolean whole() {
    return (ending().equals("ANNOUNCED") || ending().equals("QUIET"))
        && length.compareTo(observed.resolution()) > 0;
  }

  /** Slower than alone, as a fraction; empty while that is not known, and for a fragment. */
  public Optional<Double> slowdown() {
    return alone
        .filter(a -> whole())
        .map(a -> (double) length.toNanos() / Math.max(1, a.length().toNanos()) - 1);
  }

  /**
   * How far off {@link #slowdown} may be, as a fraction: the resolution of both ends, and how much
   * the lengths alone differ. Example: 2.0 s alone at a resolution of 0.25 s is ±25 %.
   */
  public double slowdownError() {
    return alone
        .map(
            a ->
                2.0 * observed.resolution().toNanos() / Math.max(1, a.length().toNanos())
                    + a.error())
        .orElse(0.0);
  }

  /** All of {@code ourBytes}. */
  public long ourTotal() {
    return ourBytes.values().stream().mapToLong(Long::longValue).sum();
  }
}
