package io.eley.cli.render;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.UnderWay;
import io.eley.prefetcher.control.PhaseEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Entries of a ledger: one of which everything is known, and one of which next to nothing is. */
public final class Entries {
  public static final Instant BEGAN = Instant.parse("2026-11-21T06:00:00.250Z");

  private Entries() {}

  public static PhaseEntry known(String application) {
    return new PhaseEntry(
        application,
        "slurm",
        BEGAN,
        Duration.ofMillis(10_500),
        Optional.of(new PhaseEntry.Predicted(BEGAN.minusMillis(300), Duration.ofSeconds(9), true)),
        Optional.of(new PhaseEntry.Alone(Duration.ofSeconds(10), 0.02)),
        Optional.of(300e6),
        new PhaseEntry.Hold(
            2, 2, false, Optional.of(Duration.ofMillis(3)), new UnderWay(3L << 20, 16L << 20)),
        Map.of(ReadCause.PREFETCH, 3L << 20, ReadCause.DEMAND, 1L << 19),
        0,
        "full-delay",
        "full delay for " + application,
        PhaseEntry.Observed.exactly("QUIET"));
  }

  public static PhaseEntry unknown(String application) {
    return new PhaseEntry(
        application,
        "announced",
        BEGAN.plusSeconds(40),
        Duration.ofSeconds(1),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        new PhaseEntry.Hold(2, 0, true, Optional.empty()),
        Map.of(),
        0,
        "no-action",
        "no action",
        PhaseEntry.Observed.exactly("ANNOUNCED"));
  }
}
