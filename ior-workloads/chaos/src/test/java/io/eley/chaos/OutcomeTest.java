package io.eley.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.chaos.Outcome.Times;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OutcomeTest {
  private final Findings found = new Findings();

  private Outcome outcome() {
    return new Outcome(
        Map.of(Fault.KILL_NODE, 3, Fault.DROP_NODE, 1),
        found,
        12,
        new Times(4, Duration.ofSeconds(6), Duration.ofSeconds(2), Duration.ofMillis(900)),
        List.of("a full RAM-disk: no"));
  }

  @Test
  void passesWhenAllBytesWereRightAndNobodyStoodStillForTooLong() {
    found.noteCall(TimeUnit.MILLISECONDS.toNanos(1_900));
    assertThat(outcome().passed(2)).isTrue();
    assertThat(outcome().passed(1.5)).as("a shorter time is allowed").isFalse();
  }

  @Test
  void aWrongByteIsNeverPassed() {
    found.noteWrong("/f: of no generation");
    assertThat(outcome().passed(30)).isFalse();
  }

  @Test
  void aFailedReadIsNeverPassed() {
    found.noteFailed("/f: UNAVAILABLE");
    assertThat(outcome().passed(30)).isFalse();
  }

  @Test
  void aReplacedFileIsNoFailure() {
    found.noteReplaced();
    assertThat(outcome().passed(2)).isTrue();
  }

  @Test
  void theSummaryIsATableWithWhatWentWrongBelow() {
    found.noteRead(1 << 20);
    found.noteWrong("/f: of no generation");
    var text = new StringWriter();
    new OutcomeTable(new PrintWriter(text)).print(10, outcome());
    assertThat(text.toString().lines())
        .contains(
            "| runs | 4, seeds 10 to 13 |",
            "| reads compared | 1 of 1.0 MiB in all |",
            "| faults | 3 × kill node, 1 × drop node |",
            "| wrong bytes | 1 |",
            "| failed reads | 0 |",
            "| a run | 1.50 s, 0.50 s of it until all nodes were back (0.9 s at most) |",
            "| not tried | a full RAM-disk: no |",
            "wrong bytes: /f: of no generation");
  }
}
