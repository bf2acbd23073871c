package io.eley.laboratory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** Where standard error is no terminal, as in every build: a line a step, and no bars. */
class ConsoleProgressTest {
  private final StringWriter err = new StringWriter();
  private final ConsoleProgress progress = new ConsoleProgress(new PrintWriter(err));

  @Test
  void aStepIsALineAndItsProgressIsNone() {
    progress.step(1, 3, "WordCount, NaiveBB");
    progress.advanced(0.5, "half");
    progress.note("the input is there");
    progress.close();
    assertThat(err.toString().lines())
        .contains("  the input is there")
        .noneMatch(line -> line.contains("half") && line.contains("%"));
  }
}
