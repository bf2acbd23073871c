package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.coordinator.ledger.LedgerFile;
import io.eley.prefetcher.control.PhaseEntry;
import java.io.PrintWriter;
import java.io.StringWriter;
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

class AdviseCommandTest {
  @TempDir Path temp;

  private String advise(String job, int expected, String... options) {
    var words = new ArrayList<>(List.of("advise", "--file", temp.toString(), job));
    words.addAll(List.of(options));
    var out = new StringWriter();
    int status =
        Main.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(out))
            .execute(words.toArray(String[]::new));
    assertThat(status).isEqualTo(expected);
    return out.toString();
  }

  private static PhaseEntry phase(String application, int index, double rate, boolean foreseen) {
    return new PhaseEntry(
        application,
        "slurm",
        Instant.parse("2026-11-21T06:00:00Z").plusSeconds(40L * index),
        Duration.ofSeconds(10),
        foreseen
            ? Optional.of(
                new PhaseEntry.Predicted(
                    Instant.parse("2026-11-21T06:00:00Z"), Duration.ofSeconds(10), true))
            : Optional.empty(),
        Optional.of(new PhaseEntry.Alone(Duration.ofSeconds(10), 0)),
        Optional.of(rate),
        new PhaseEntry.Hold(2, 2, false, Optional.of(Duration.ofMillis(2))),
        Map.of(ReadCause.PREFETCH, 1L),
        0,
        "full-delay",
        "full delay",
        PhaseEntry.Observed.exactly("QUIET"));
  }

  @Test
  void whatTheJobsPhasesAreLikeAndWhatToRequest() throws Exception {
    var entries = new ArrayList<PhaseEntry>();
    for (int i = 0; i < 6; i++) {
      entries.add(phase("climate@alice#12", i, 300e6, i > 3));
      entries.add(phase("big@bob#7", i, 600e6, false));
    }
    var text = new StringBuilder();
    LedgerFile.print(entries, text);
    Files.writeString(new DeploymentFiles(temp).ledger(), text);

    assertThat(advise("12", 0))
        .contains("climate@alice: 6 phases of 10.0 s (median), one every 40.0 s: 25 % of the time")
        .contains("Held by all nodes in 6 of them; +0.0 % against alone (median of 6)")
        .contains("2 were foreseen")
        .contains("300 MB/s in a phase, 50 % of the most")
        .contains("--licenses=pfs_bw:50");
    assertThat(advise("big@bob#7", 0)).contains("None was foreseen");
    assertThat(advise("climate@alice", 0)).startsWith("climate@alice: 6 phases");
    assertThat(advise("99", 1)).contains("has no phase of 99");
    assertThat(advise("12", 0, "--capacity", "250m"))
        .as("a site has 100, and Slurm counts local disks, too")
        .contains("114 % of the file system's 262.", "--licenses=pfs_bw:100 of 100");
    assertThat(advise("12", 2, "--capacity", "0")).contains("--capacity must be more than 0");
    assertThat(List.of(advise("12", 0).split("\n", -1))).hasSizeLessThan(8);
  }
}
