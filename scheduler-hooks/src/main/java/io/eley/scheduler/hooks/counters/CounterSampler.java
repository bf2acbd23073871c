package io.eley.scheduler.hooks.counters;

import io.eley.controller.phase.Blindness;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.ForeignBytes;
import io.eley.controller.phase.Sighting;
import io.eley.controller.phase.SourceKind;
import io.eley.scheduler.hooks.signal.PollTiming;
import io.eley.scheduler.hooks.signal.Sampler;
import io.eley.scheduler.hooks.signal.SignalException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Sees all traffic of the file system, ours too; {@link ForeignBytes} takes ours away. Blocks as
 * long as its reader does. For one thread.
 */
public final class CounterSampler implements Sampler {
  public static final String NAME = "counters";

  /**
   * The confidence of its samples while they are fresh: bytes of the counters may be a backup's.
   */
  private static final double CONFIDENCE = 0.8;

  private final CounterReader reader;
  private final long freshness;
  private final LongSupplier clock;
  private final CounterDeltas deltas = new CounterDeltas();
  private OptionalLong newsAt = OptionalLong.empty();
  private boolean seldom;

  /**
   * A sampler that has not read yet.
   *
   * @param freshness for how long counters count that tell nothing new
   * @param clock nanoseconds of the coordinator's monotonic clock
   */
  public CounterSampler(CounterReader reader, Duration freshness, LongSupplier clock) {
    this.reader = reader;
    this.freshness = freshness.toNanos();
    this.clock = clock;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public SourceKind kind(PollTiming timing) {
    return SourceKind.sampled(NAME, CONFIDENCE, timing.interval(), timing.freshness()).ofTotals();
  }

  /** One sighting; none of the first look, and none while the counters tell nothing new. */
  @Override
  public List<Sighting> sample() throws SignalException, InterruptedException {
    CounterReader.Look look = look();
    long at = clock.getAsLong() - look.age().toNanos();
    noteNews(!look.points().isEmpty(), at);
    return deltas.take(look.points(), at).stream()
        .map(d -> new Sighting(Evidence.SOMEBODY, d.from(), d.to(), d.bytes(), false))
        .toList();
  }

  private CounterReader.Look look() throws SignalException, InterruptedException {
    try {
      return reader.look();
    } catch (SignalException e) {
      // What nobody could read was not written too seldom.
      newsAt = OptionalLong.empty();
      seldom = false;
      throw e;
    }
  }

  /** Also when they come again after a while: else what is seldom would be so now and then. */
  private void noteNews(boolean news, long at) {
    boolean late = at - newsAt.orElse(at) > freshness;
    seldom = late || (seldom && !news);
    if (news || newsAt.isEmpty()) {
      newsAt = OptionalLong.of(at);
    }
  }

  @Override
  public Blindness blindness() {
    return seldom
        ? new Blindness(
            "its files are written too seldom to see phases: each "
                + TimeUnit.NANOSECONDS.toSeconds(freshness)
                + " s at least, better each second",
            false)
        : Blindness.NONE;
  }

  @Override
  public void close() {
    reader.close();
  }
}
