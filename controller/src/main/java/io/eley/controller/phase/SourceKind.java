package io.eley.controller.phase;

import java.time.Duration;

/**
 * What a source of phases is, so that nobody has to ask for its class or compare its name. Fixed
 * for its life, but for what follows from how far apart its samples are ({@link #every}).
 *
 * @param name one word for logs and reports, unique among the sources of one watch
 * @param means how it comes to know of phases
 * @param confidence of its reports while it is fresh, 0 to 1
 * @param seesEverybody whether nobody's I/O can escape it, as with the file system's own counters
 * @param totalsOnly whether its bytes include our own, so that {@link ForeignBytes} has to take
 *     those away
 * @param interval between two polls; zero for a source of announcements
 * @param freshness after so long without a report the source is lost; zero for a source of
 *     announcements
 * @param resolution how far off the begin and the end that it reports may be; pieces that are
 *     closer to each other are one phase
 * @param tellsPhases whether it reports phases that somebody else has made of bytes: one that it
 *     does not report any more is over, without a quiet to wait for
 */
public record SourceKind(
    String name,
    Means means,
    double confidence,
    boolean seesEverybody,
    boolean totalsOnly,
    Duration interval,
    Duration freshness,
    Duration resolution,
    boolean tellsPhases) {
  /** How a source comes to know of phases. */
  public enum Means {
    /** Applications announce begin and end; silence means nothing. */
    ANNOUNCED,
    /** It is polled; silence means that it cannot see any more. */
    SAMPLED
  }

  public SourceKind {
    if (!(confidence >= 0 && confidence <= 1)) {
      throw new IllegalArgumentException("a confidence is from 0 to 1: " + confidence);
    }
  }

  /** A source to which applications announce their phases, which is certain. */
  public static SourceKind announced(String name) {
    return new SourceKind(
        name, Means.ANNOUNCED, 1, false, false, Duration.ZERO, Duration.ZERO, Duration.ZERO, false);
  }

  /** A source that sees the I/O of some applications, by name or not, to an interval. */
  public static SourceKind sampled(
      String name, double confidence, Duration interval, Duration freshness) {
    return new SourceKind(
        name, Means.SAMPLED, confidence, false, false, interval, freshness, interval, false);
  }

  /** The same source, which sees the bytes of everybody, ours among them. */
  public SourceKind ofTotals() {
    return new SourceKind(
        name, means, confidence, true, true, interval, freshness, resolution, tellsPhases);
  }

  /** The same source, which is so far off. */
  public SourceKind within(Duration resolution) {
    return new SourceKind(
        name,
        means,
        confidence,
        seesEverybody,
        totalsOnly,
        interval,
        freshness,
        resolution,
        tellsPhases);
  }

  /**
   * The same source while its samples are so far apart; this one where that is no more than between
   * two polls. It is lost as much later, and as much further off.
   */
  public SourceKind every(Duration apart) {
    Duration later = apart.minus(interval);
    if (later.isNegative()) {
      return this;
    }
    return new SourceKind(
        name,
        means,
        confidence,
        seesEverybody,
        totalsOnly,
        apart,
        freshness.plus(later),
        resolution.plus(later),
        tellsPhases);
  }

  /** The same source, which passes on the phases that another one has found. */
  public SourceKind tellingPhases() {
    return new SourceKind(
        name, means, confidence, seesEverybody, totalsOnly, interval, freshness, resolution, true);
  }

  /** Whether it is polled. */
  public boolean sampled() {
    return means == Means.SAMPLED;
  }
}
