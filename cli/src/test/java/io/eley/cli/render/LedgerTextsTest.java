package io.eley.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eley.prefetcher.control.PhaseEntry;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class LedgerTextsTest {
  private static List<String> table(PhaseEntry... entries) {
    var text = new StringWriter();
    LedgerTable.print(List.of(entries), new PrintWriter(text, true));
    return text.toString().lines().toList();
  }

  private static JsonNode json(PhaseEntry... entries) throws Exception {
    return new ObjectMapper().readTree(LedgerJson.render(List.of(entries)));
  }

  @Test
  void anEmptyLedgerIsSaidInAWordAndIsAnEmptyList() throws Exception {
    assertThat(table()).containsExactly("no phase yet");
    assertThat(json()).isEmpty();
  }

  @Test
  void aPhaseIsALineBelowItsHeader() {
    List<String> lines = table(Entries.known("climate"), Entries.unknown("model"));
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).startsWith("began").endsWith("decision");
    assertThat(lines.get(1).split(" +", -1))
        .startsWith(
            "2026-11-21T06:00:00Z",
            "climate",
            "slurm",
            "10.50",
            "+0.3",
            "s",
            "10.00",
            "+5.0",
            "3.0")
        .contains("2/2", "3.5");
    assertThat(lines.get(1)).endsWith("full delay for climate (QUIET)");
    assertThat(lines.get(2)).containsPattern("1\\.00 +- +- +- +- +0/2 +0\\.0  no action$");
  }

  @Test
  void aForecastThatDidNotCloseInTimeIsMarked() {
    PhaseEntry known = Entries.known("climate");
    PhaseEntry.Predicted late = known.predicted().orElseThrow();
    var entry =
        new PhaseEntry(
            known.application(),
            known.source(),
            known.began(),
            known.length(),
            java.util.Optional.of(new PhaseEntry.Predicted(late.begin(), late.length(), false)),
            known.alone(),
            known.foreignBytesPerSecond(),
            known.hold(),
            known.ourBytes(),
            known.metadataCalls(),
            known.operator(),
            known.decision(),
            known.observed());
    assertThat(table(entry).get(1)).contains("+0.3 s!");
    assertThat(table(known).get(1)).doesNotContain("!");
  }

  @Test
  void programsGetWhatIsKnown() throws Exception {
    JsonNode entry = json(Entries.known("climate")).get(0);
    assertThat(entry.get("application").asText()).isEqualTo("climate");
    assertThat(entry.get("began").asText()).isEqualTo("2026-11-21T06:00:00.250Z");
    assertThat(entry.get("seconds").asDouble()).isEqualTo(10.5);
    assertThat(entry.get("predictedBegin").asText()).isEqualTo("2026-11-21T05:59:59.950Z");
    assertThat(entry.get("predictedSeconds").asDouble()).isEqualTo(9);
    assertThat(entry.get("closedBefore").asBoolean()).isTrue();
    assertThat(entry.get("foreignBytesPerSecond").asDouble()).isEqualTo(300e6);
    assertThat(entry.get("aloneSeconds").asDouble()).isEqualTo(10);
    assertThat(entry.get("aloneError").asDouble()).isEqualTo(0.02);
    assertThat(entry.get("slowdown").asDouble()).isBetween(0.0499, 0.0501);
    assertThat(entry.get("holdMillis").asDouble()).isEqualTo(3);
    assertThat(entry.get("underWayBytes").asLong()).isEqualTo(3 << 20);
    assertThat(entry.get("underWayMostBytes").asLong()).isEqualTo(16 << 20);
    assertThat(entry.get("ourBytes").get("PREFETCH").asLong()).isEqualTo(3 << 20);
    assertThat(entry.get("operator").asText()).isEqualTo("full-delay");
  }

  @Test
  void programsGetNoPlaceholdersForWhatIsNotKnown() throws Exception {
    JsonNode entry = json(Entries.unknown("model")).get(0);
    for (String field :
        List.of(
            "predictedBegin", "foreignBytesPerSecond", "aloneSeconds", "slowdown", "holdMillis")) {
      assertThat(entry.has(field)).as(field).isFalse();
    }
    assertThat(entry.get("confirmed").asInt()).isZero();
    assertThat(entry.get("tasksPassed").asBoolean()).isTrue();
    assertThat(entry.get("ending").asText()).isEqualTo("ANNOUNCED");
  }
}
