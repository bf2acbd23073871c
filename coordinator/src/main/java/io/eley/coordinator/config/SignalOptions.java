package io.eley.coordinator.config;

import io.eley.bb.api.config.Settings;
import io.eley.scheduler.hooks.slurm.HpcRule;
import java.time.Duration;
import java.util.Optional;

/**
 * Which sources see phases by themselves.
 *
 * @param slurm accounting, when it is on
 * @param counters of the file system, when they are on
 * @param probe of the origin, when it is on
 * @param deadline of a source's command
 * @param neighbours directory of this user's deployments; empty for none
 * @param board directory in which a site's board is published; empty for none
 */
public record SignalOptions(
    Optional<Slurm> slurm,
    Optional<Counters> counters,
    Optional<Probe> probe,
    Duration deadline,
    String neighbours,
    String board) {
  /** Slurm accounting; an empty {@code conf} leaves the choice to Slurm. */
  public record Slurm(HpcRule rule, String conf, Duration interval, Duration queueInterval) {}

  /** A file system's counters; see {@link io.eley.scheduler.hooks.counters.CounterReaders#of}. */
  public record Counters(String specification, Duration interval) {}

  /** A probe; an empty directory is the origin. */
  public record Probe(String directory, int size, boolean sync, boolean read, Duration interval) {}

  /**
   * The values of {@link SignalKeys}.
   *
   * @throws IllegalArgumentException in one line for the operator, naming the key
   */
  public static SignalOptions from(Settings settings) {
    String counters = settings.get(SignalKeys.COUNTERS);
    return new SignalOptions(
        settings.get(SignalKeys.SLURM)
            ? Optional.of(
                new Slurm(
                    rule(settings),
                    settings.get(SignalKeys.SLURM_CONF),
                    settings.get(SignalKeys.SLURM_INTERVAL),
                    settings.get(SignalKeys.SLURM_QUEUE_INTERVAL)))
            : Optional.empty(),
        counters.isBlank()
            ? Optional.empty()
            : Optional.of(new Counters(counters, settings.get(SignalKeys.COUNTERS_INTERVAL))),
        settings.get(SignalKeys.PROBE)
            ? Optional.of(
                new Probe(
                    settings.get(SignalKeys.PROBE_DIRECTORY),
                    settings.get(SignalKeys.PROBE_SIZE).intBytes(),
                    settings.get(SignalKeys.PROBE_SYNC),
                    settings.get(SignalKeys.PROBE_READ),
                    settings.get(SignalKeys.PROBE_INTERVAL)))
            : Optional.empty(),
        settings.get(SignalKeys.SIGNAL_DEADLINE),
        settings.get(SignalKeys.NEIGHBOURS),
        settings.get(SignalKeys.BOARD));
  }

  private static HpcRule rule(Settings settings) {
    try {
      return HpcRule.parse(settings.get(SignalKeys.SLURM_JOBS));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(SignalKeys.SLURM_JOBS.name() + ": " + e.getMessage(), e);
    }
  }
}
