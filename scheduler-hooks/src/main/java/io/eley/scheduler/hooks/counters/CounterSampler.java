package io.eley.scheduler.hooks.counters;

import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.ForeignBytes;
import io.eley.controller.phase.Sighting;
import io.eley.controller.phase.SourceKind;
import io.eley.scheduler.hooks.signal.PollTiming;
import io.eley.scheduler.hooks.signal.Sampler;
import io.eley.scheduler.hooks.signal.SignalException;
import java.util.List;
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
  private final LongSupplier clock;
  private final CounterDeltas deltas = new CounterDeltas();

  /**
   * A sampler that has not read yet.
   *
   * @param clock nanoseconds of the coordinator's monotonic clock
   */
  public CounterSampler(CounterReader reader, LongSupplier clock) {
    this.reader = reader;
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

  @Override
  public List<Sighting> sample() throws SignalException, InterruptedException {
    CounterReader.Look look = reader.look();
    return deltas.take(look.points(), clock.getAsLong() - look.age().toNanos()).stream()
        .map(d -> new Sighting(Evidence.SOMEBODY, d.from(), d.to(), d.bytes(), false))
        .toList();
  }

  @Override
  public void close() {
    reader.close();
  }
}
