package io.eley.coordinator.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.UnderWay;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.edge.PlainText;
import io.eley.prefetcher.control.PhaseEntry;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
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
import org.junit.jupiter.api.Timeout;
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
    file.append(entry);
    file.append(entry);
    assertThat(file.read())
        .as("half a line costs itself alone")
        .containsExactly(entry, entry, entry);
  }

  @Test
  void theLastBytesHaveTheLastEntriesAndNoOther() throws Exception {
    var file = new LedgerFile(temporary);
    var written = new ArrayList<PhaseEntry>();
    for (int i = 0; i < 10; i++) {
      written.add(entry("a,b,c".substring(i % 5) + i));
      file.append(written.get(i));
    }
    byte[] bytes = Files.readAllBytes(new DeploymentFiles(temporary).ledger());
    int entries = 0; // that are whole in the last bytes
    for (int last = 1; last <= bytes.length; last++) {
      boolean lineBegins = last < bytes.length && bytes[bytes.length - last - 1] == '\n';
      entries += lineBegins && entries < 10 ? 1 : 0;
      assertThat(file.readLast(last)).isEqualTo(written.subList(10 - entries, 10));
    }
    assertThat(file.readLast(Long.MAX_VALUE)).isEqualTo(written);
  }

  /** Read as a whole it would fit into no heap, nor be read in the time of this test. */
  @Test
  @Timeout(60)
  void theEndOfALedgerIsReadWhateverItsLength() throws Exception {
    var entry = entry("climate");
    var file = new LedgerFile(temporary);
    file.append(entry);
    Path path = new DeploymentFiles(temporary).ledger();
    try (var grown = FileChannel.open(path, StandardOpenOption.WRITE)) {
      grown.write(ByteBuffer.wrap(new byte[] {0}), 64L << 30);
    }
    file.append(entry);
    file.append(entry);
    try (var writer = new LedgerWriter(file)) {
      assertThat(writer.past()).containsExactly(entry, entry);
    }
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

  static PhaseEntry entry(String application) {
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
