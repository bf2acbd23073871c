package io.eley.bb.api.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.StageId;
import io.eley.bb.api.wire.PhaseMessage.BeginPhase;
import io.eley.bb.api.wire.PhaseMessage.EndPhase;
import io.eley.bb.api.wire.PlanMessage.EndApplication;
import io.eley.bb.api.wire.PlanMessage.StartApplication;
import io.eley.bb.api.wire.PlanMessage.WaveSize;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamesAndTextsTest {
  private static final long SEED =
      Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));

  /** Everything on the wire that carries a name. */
  private static final List<Consumer<String>> EDGES =
      List.of(
          name -> new BeginPhase(name, Duration.ofSeconds(1)),
          EndPhase::new,
          name -> new StartApplication(name, ""),
          name -> new WaveSize(name, 1),
          EndApplication::new,
          name -> new StageId(name, 1, 0),
          NodeId::new,
          name -> new NodeAddress(new NodeId("n"), name, 1, ""));

  @ParameterizedTest
  @CsvSource({
    "'a b', 'a b'",
    "'Übung 数', 'Übung 数'",
    "'a\\n', 'a\\n'",
  })
  void plainTextStaysAsItIs(String text, String escaped) {
    assertThat(PlainText.escape(text)).isEqualTo(escaped);
    assertThat(PlainText.isPlain(text)).isTrue();
  }

  @Test
  void whatMovesACursorBeginsALineOrTurnsADirectionIsWrittenAsItsNumber() {
    assertThat(PlainText.escape("a\nb\r\u001b[2Jc")).isEqualTo("a\\x0ab\\x0d\\x1b[2Jc");
    assertThat(PlainText.escape("x\u202ey\u2028z\u0085\ud800"))
        .isEqualTo("x\\u202ey\\u2028z\\x85\\ud800");
    assertThat(PlainText.escapeLines("a\n\tb\r\n\u001b")).isEqualTo("a\n\tb\\x0d\n\\x1b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "a\nb",
        "a\rb",
        "\u001b[2J",
        "a\u202eb",
        "a\u2028b",
        "a\u2029",
        "\u0085",
        "\ufeffa"
      })
  void aNameThatCouldForgeALineIsRefusedByEveryMessageThatCarriesOne(String name) {
    for (Consumer<String> edge : EDGES) {
      assertThatThrownBy(() -> edge.accept(name))
          .isInstanceOf(IllegalArgumentException.class)
          .satisfies(e -> assertThat(PlainText.isPlain("" + e.getMessage())).isTrue());
    }
  }

  @Test
  void lengthIsCountedInBytes() {
    assertThat(NameRule.NODE.require("x".repeat(128))).hasSize(128);
    for (String name : List.of("x".repeat(129), "数".repeat(43), "\ud83d\ude00".repeat(33))) {
      assertThatThrownBy(() -> NameRule.NODE.require(name)).hasMessageContaining("128 bytes");
    }
  }

  /** Whatever comes: refused in one plain line, or the same text on one line; made names pass. */
  @Test
  void randomNastyTextsNeverBecomeALineOfTheirOwn() {
    System.out.println("seed of the nasty texts (-Deley.test.seed=...): " + SEED);
    NastyTexts.some(SEED, 20_000)
        .forEach(
            text -> {
              String escaped = PlainText.escape(text);
              assertThat(escaped.lines().count()).isLessThanOrEqualTo(1);
              assertThat(PlainText.isPlain(escaped)).isTrue();
              assertThat(PlainText.escape(escaped)).isEqualTo(escaped);
              String made = NameRule.NODE.made(text);
              assertThat(NameRule.NODE.require(made)).isEqualTo(made);
              assertThat(made.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(128);
              if (PlainText.isPlain(text) && !text.isBlank()) {
                assertThat(NameRule.NODE.require(text)).isEqualTo(text).isEqualTo(made);
              } else {
                assertThatThrownBy(() -> NameRule.NODE.require(text))
                    .satisfies(e -> assertThat(PlainText.isPlain("" + e.getMessage())).isTrue());
              }
            });
  }
}
