package io.eley.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ReadCause;
import io.eley.prefetcher.control.PhaseEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerPageTest {
  @TempDir Path temp;

  static List<PhaseEntry> entries() {
    var entries = new ArrayList<PhaseEntry>();
    for (int i = 0; i < 12; i++) {
      boolean known = i > 4;
      boolean held = i % 4 != 3;
      entries.add(
          new PhaseEntry(
              i % 3 == 0 ? "lammps@bob#12" : "<script>climate",
              i % 3 == 0 ? "slurm" : "announced+counters",
              Instant.parse("2026-11-21T06:00:00Z").plusSeconds(40L * i),
              Duration.ofMillis(10_000 + 300 * (i % 5)),
              known
                  ? Optional.of(
                      new PhaseEntry.Predicted(
                          Instant.parse("2026-11-21T06:00:00Z").plusSeconds(40L * i + 1),
                          Duration.ofSeconds(10),
                          i != 7))
                  : Optional.empty(),
              known
                  ? Optional.of(new PhaseEntry.Alone(Duration.ofSeconds(10), 0.01))
                  : Optional.empty(),
              Optional.of(9e7),
              new PhaseEntry.Hold(
                  2,
                  held ? 2 : 0,
                  !held,
                  held ? Optional.of(Duration.ofMillis(3)) : Optional.empty()),
              Map.of(ReadCause.PREFETCH, held ? 1L << 20 : 300L << 20),
              0,
              held ? "full-delay" : "partial-delay",
              held ? "full delay for climate" : "partial delay for climate",
              PhaseEntry.Observed.exactly("ANNOUNCED")));
    }
    return entries;
  }

  @Test
  void thePageHoldsEveryPhaseAndNothingOfItIsCode() throws Exception {
    Path file = temp.resolve("ledger.html");
    LedgerPage.write(entries(), file);
    String page = Files.readString(file);
    assertThat(page).contains("12 phases, applications: 2; all nodes held in 9 of them");
    assertThat(page).contains("&lt;script&gt;climate").doesNotContain("<script>climate");
    assertThat(page).contains("Content-Security-Policy").contains("echarts");
    assertThat(page.split("<tr class=\"first\">", -1)).hasSize(13);
    assertThat(LedgerPage.render(List.of())).contains("0 phases, applications: 0");
  }
}
