package io.eley.laboratory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProgressLineTest {
  private static final Estimate.Shown SHOWN = new Estimate.Shown(0.617, 72, false);
  private static final String STORY = "map 55 %, HPC phase 2, ours 41, HPC 38 MiB/s";

  @Test
  void aWideTerminalHasAllOfIt() {
    assertThat(ProgressLine.PLAIN.render(SHOWN, STORY, 100).stripTrailing())
        .isEqualTo(" 61 % ###############.........  1:15 left, " + STORY);
  }

  @Test
  void theBarYieldsToTheStoryOnANarrowOne() {
    assertThat(ProgressLine.PLAIN.render(SHOWN, STORY, 80))
        .hasSize(80)
        .startsWith(" 61 % ##########......  1:15 left, map 55 %")
        .endsWith("38 MiB/s ");
  }

  @Test
  void everyLineIsAsWideAsTheTerminal() {
    for (int width = 0; width < 140; width++) {
      assertThat(ProgressLine.BLOCKS.render(SHOWN, STORY, width)).hasSize(width);
      assertThat(ProgressLine.BLOCKS.render(SHOWN, "", width)).hasSize(width);
    }
  }

  @Test
  void aStepThatTakesLongerSaysSo() {
    var late = new Estimate.Shown(0.5, 3, true);
    assertThat(ProgressLine.PLAIN.render(late, "", 80))
        .contains("seconds left, longer than thought");
  }

  @Test
  void timesAreRoundedUp() {
    assertThat(ProgressLine.left(0)).isEqualTo("seconds left");
    assertThat(ProgressLine.left(5.1)).isEqualTo("0:10 left");
    assertThat(ProgressLine.left(59.9)).isEqualTo("1:00 left");
    assertThat(ProgressLine.left(600)).isEqualTo("10:00 left");
  }
}
