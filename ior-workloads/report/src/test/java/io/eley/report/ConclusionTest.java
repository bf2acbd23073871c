package io.eley.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ConclusionTest {
  @Test
  void bothSidesOfEachWorkloadAreInOneSentence() {
    String sentence = SampleReports.report().conclusion();

    assertThat(sentence)
        .isEqualTo(
            "With FullDelay WordCount's map phase took 24.1 s instead of NaiveBB's 33.2 s (27 %"
                + " less), and the HPC application's I/O phases beside it took as long as alone, within"
                + " 1.7 % (NaiveBB +45 %, NoAction +32 %); Sort's map phase took 19.3 s instead of"
                + " NaiveBB's 26.6 s (27 % less), and the phases beside it took as long as alone, within"
                + " 1.3 % (NaiveBB +44 %, NoAction +32 %).");
    assertThat(sentence.split("\\. ", -1)).as("one sentence").hasSize(1);
  }

  @Test
  void whatIsWorseIsSaidAsPlainly() {
    assertThat(
            of(
                SampleReports.run("NaiveBB", "Sort", 20, 3, 0),
                SampleReports.run("FullDelay", "Sort", 30, 3, 0.5)))
        .contains("30.0 s instead of NaiveBB's 20.0 s (50 % more), but the HPC application's")
        .containsPattern("took (19|20|21) % longer than alone");
  }

  @Test
  void whatWasNotMeasuredIsNotClaimed() {
    assertThat(of(SampleReports.run("NaiveBB", "Sort", 20, 3, 0)))
        .isEqualTo("Nothing can be concluded: there is no run of FullDelay.");
    assertThat(of(SampleReports.run("FullDelay", "Sort", 2, 30, 0.5)))
        .isEqualTo(
            "With FullDelay Sort's map phase took 2.0 s, and no whole phase of the HPC application"
                + " fell into it.");
  }

  @Test
  void repetitionsAreMediansWithTheirRanges() {
    assertThat(SampleReports.repeated().conclusion())
        .contains("took 24.1 s [23.4 to 25.5] instead of NaiveBB's 33.2 s [32.2 to 35.2]")
        .endsWith(" (medians of 3 repetitions, ranges in brackets).");
  }

  private static String of(RunRecord... runs) {
    return Conclusion.of(Summary.of(List.of(runs)));
  }
}
