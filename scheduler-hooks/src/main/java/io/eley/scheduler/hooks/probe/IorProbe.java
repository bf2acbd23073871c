package io.eley.scheduler.hooks.probe;

import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.Sighting;
import io.eley.controller.phase.SourceKind;
import io.eley.scheduler.hooks.signal.PollTiming;
import io.eley.scheduler.hooks.signal.Sampler;
import io.eley.scheduler.hooks.signal.SignalException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Detects the I/O of others by how it slows a tiny I/O of our own. Rests while a phase is known
 * from elsewhere, so that it is never part of what slows a phase down, and takes at most a
 * hundredth of the time: after a slow probe it waits longer. Not longer than {@value #MOST_SECONDS}
 * s, though, for what the last probe has found is said until the next one: whoever hears of
 * somebody holds for it, and one write that took seconds must not make that minutes.
 *
 * <p>For one thread; blocks as long as the probe's I/O does.
 */
public final class IorProbe implements Sampler {
  public static final String NAME = "probe";

  /** The confidence of its samples while they are fresh: a slow moment need not be a phase. */
  private static final double CONFIDENCE = 0.6;

  /** The pause between two probes is at least so many times the time of one. */
  private static final int REST = 100;

  /** But no longer than so many seconds, unless the interval is. */
  private static final int MOST_SECONDS = 10;

  private final TimedIo io;
  private final long intervalNanos;
  private final DoubleSupplier ours;
  private final BooleanSupplier phaseKnown;
  private final LongSupplier clock;
  private final ProbeDetector detector = new ProbeDetector();
  private boolean somebody;
  private long lastAt;
  private long nextAt;

  /**
   * A probe that has not run yet.
   *
   * @param interval between two probes, at least
   * @param ours bytes a second that we move now; any thread may ask
   * @param phaseKnown whether another source knows of a phase now; any thread may ask
   * @param clock nanoseconds of the coordinator's monotonic clock
   */
  public IorProbe(
      TimedIo io,
      Duration interval,
      DoubleSupplier ours,
      BooleanSupplier phaseKnown,
      LongSupplier clock) {
    this.io = io;
    this.intervalNanos = interval.toNanos();
    this.ours = ours;
    this.phaseKnown = phaseKnown;
    this.clock = clock;
    lastAt = clock.getAsLong();
    nextAt = lastAt;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public SourceKind kind(PollTiming timing) {
    return SourceKind.sampled(NAME, CONFIDENCE, timing.interval(), timing.freshness());
  }

  @Override
  public List<Sighting> sample() throws SignalException {
    long now = clock.getAsLong();
    if (phaseKnown.getAsBoolean()) {
      somebody = false;
    } else if (now - nextAt >= 0) {
      somebody = detector.observe(probe(now), ours.getAsDouble());
    }
    long from = lastAt;
    lastAt = clock.getAsLong();
    return List.of(new Sighting(Evidence.SOMEBODY, from, lastAt, 0, somebody));
  }

  private long probe(long now) throws SignalException {
    try {
      long nanos = io.nanos();
      long rest = Math.min(REST * nanos, TimeUnit.SECONDS.toNanos(MOST_SECONDS));
      nextAt = Math.max(now + intervalNanos, clock.getAsLong() + rest);
      return nanos;
    } catch (IOException e) {
      throw SignalException.failed("the probe cannot write to the origin: " + e.getMessage());
    }
  }

  @Override
  public void close() {
    io.close();
  }
}
