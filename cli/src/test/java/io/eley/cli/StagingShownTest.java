package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.scheduler.hooks.job.StageIn;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** What whoever waits for files to be staged sees meanwhile. */
class StagingShownTest {
  private final StringWriter text = new StringWriter();
  private long now = 7;

  private StagingShown shown(boolean terminal) {
    return new StagingShown(new PrintWriter(text), terminal, () -> now);
  }

  private static StageIn.Progress at(int mebibytes, boolean held) {
    return new StageIn.Progress((long) mebibytes << 20, 6L << 20, 2, held);
  }

  @Test
  void aTerminalHasOneLineThatChanges() {
    var shown = shown(true);
    shown.accept(at(0, false));
    shown.accept(at(0, false));
    shown.accept(at(2, true));
    shown.end();
    assertThat(text.toString().split("\r\u001b\\[K", -1))
        .containsExactly(
            "",
            "staging 0 of 6m in 2 files",
            "staging 2m of 6m in 2 files, held for the I/O of others",
            "");
  }

  @Test
  void aFileHasALineEveryFiveSecondsAndOnlyWithNews() {
    var shown = shown(false);
    for (int mebibytes : new int[] {0, 1, 1, 3, 4}) {
      shown.accept(at(mebibytes, false));
      now += 3_000_000_000L;
    }
    shown.end();
    assertThat(text.toString().lines())
        .containsExactly("staging 1m of 6m in 2 files", "staging 4m of 6m in 2 files");
  }

  @Test
  void whatIsStagedAtOnceIsNotSpokenOf() {
    var shown = shown(false);
    shown.accept(at(5, false));
    shown.end();
    assertThat(text.toString()).isEmpty();
  }
}
