package io.eley.coordinator.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.prefetcher.control.PhaseEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written is read back, and a file that was cut off is no obstacle. */
class LedgerFileTest {
  @TempDir Path temporary;

  @Test
  void entriesAreReadBackAndHalfALineIsSkipped() throws Exception {
    var file = new LedgerFile(temporary);
    assertThat(file.read()).isEmpty();
    var entry =
        new PhaseEntry(
            "a \"quoted\", name",
            "announced",
            Instant.parse("2026-11-21T06:00:00.123Z"),
            Duration.ofMillis(1500),
            Optional.of(
                new PhaseEntry.Predicted(
                    Instant.parse("2026-11-21T06:00:00.200Z"), Duration.ofMillis(1400), true)),
            Optional.of(new PhaseEntry.Alone(Duration.ofMillis(1400), 0.25)),
            Optional.of(5e7),
            new PhaseEntry.Hold(2, 2, true, Optional.of(Duration.ofMillis(3))),
            Map.of(ReadCause.PREFETCH, 1L << 40),
            "full-delay",
            "full delay for a",
            "LEASE_EXPIRED");
    file.append(entry);
    Files.writeString(
        new DeploymentFiles(temporary).ledger(),
        "climate,announced,2026-11",
        StandardOpenOption.APPEND);
    assertThat(file.read()).containsExactly(entry);
  }
}
