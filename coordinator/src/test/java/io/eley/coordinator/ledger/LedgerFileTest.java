package io.eley.coordinator.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.UnderWay;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.edge.PlainText;
import io.eley.prefetcher.control.PhaseEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written is read back, and a file that was cut off is no obstacle. */
class LedgerFileTest {
  @TempDir Path temporary;

  @Test
  void entriesAreReadBackAndHalfALineIsSkipped() throws Exception {
    var file = new LedgerFile(temporary);
    assertThat(file.read()).isEmpty();
    var entry = entry("a \"quoted\", name");
    file.append(entry);
    Files.writeString(
        new DeploymentFiles(temporary).ledger(),
        "climate,announced,2026-11",
        StandardOpenOption.APPEND);
    assertThat(file.read()).containsExactly(entry);
  }

  /** Whatever an application is called, its line is one, and what is read is what was written. */
  @Test
  void noNameForgesALineOrAFormula() throws Exception {
    long seed = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed of the ledger's names (-Deley.test.seed=...): " + seed);
    var random = new Random(seed);
    var file = new LedgerFile(temporary);
    var written = new ArrayList<PhaseEntry>();
    for (int i = 0; i < 300; i++) {
      var name = new StringBuilder(List.of("=", "+", "-", "@", "'", "", "''=").get(i % 7));
      for (int c = random.nextInt(8); c >= 0; c--) {
        name.append(NASTY.get(random.nextInt(NASTY.size())));
      }
      file.append(entry(name.toString()));
      written.add(entry(PlainText.escape(name.toString())));
    }
    assertThat(file.read()).containsExactlyElementsOf(written);
    String text = Files.readString(new DeploymentFiles(temporary).ledger());
    assertThat(text.codePoints().filter(c -> c == '\n').count()).isEqualTo(301);
    assertThat(PlainText.escapeLines(text)).isEqualTo(text);
    assertThat(text.lines()).noneMatch(line -> line.matches("\"?[=+@-].*"));
  }

  private static final List<String> NASTY =
      List.of(
          "\n",
          "\r",
          "\u0000",
          "\u001b[2J",
          "\u2028",
          "\u202e",
          "\u0085",
          "\ud800",
          "\"",
          ",",
          "'",
          "=",
          "\t",
          "a",
          "\n2026-11-21,announced,",
          "ü",
          " ");

  private static PhaseEntry entry(String application) {
    return new PhaseEntry(
        application,
        "announced",
        Instant.parse("2026-11-21T06:00:00.123Z"),
        Duration.ofMillis(1500),
        Optional.of(
            new PhaseEntry.Predicted(
                Instant.parse("2026-11-21T06:00:00.200Z"), Duration.ofMillis(1400), true)),
        Optional.of(new PhaseEntry.Alone(Duration.ofMillis(1400), 0.25)),
        Optional.of(5e7),
        new PhaseEntry.Hold(
            2, 2, true, Optional.of(Duration.ofMillis(3)), new UnderWay(5L << 20, 1L << 33)),
        Map.of(ReadCause.PREFETCH, 1L << 40),
        7,
        "full-delay",
        "full delay for a",
        new PhaseEntry.Observed(
            "LEASE_EXPIRED", Duration.ofMillis(400), "2 pieces, begin +0.70 s by counters"));
  }
}
