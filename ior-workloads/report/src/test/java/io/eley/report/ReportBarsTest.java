package io.eley.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReportBarsTest {
  private static final ReportBars PLAIN = new ReportBars('#');

  @Test
  void bothSidesHaveABarForEachSystem() {
    assertThat(PLAIN.render(SampleReports.report().rows()))
        .startsWith(
            """
            Spark's map phase, WordCount: seconds
              NaiveBB    ######################################## 33.2
              NoAction   ###################### 18.4
              FullDelay  ############################# 24.1
            The HPC application's I/O phases beside it: % longer than alone
              NaiveBB    ######################################## +45.0
              NoAction   ############################ +31.6
              FullDelay  ## +1.7

            Spark's map phase, Sort: seconds
            """);
  }

  @Test
  void rangesFollowWhereThereAreRepetitions() {
    assertThat(PLAIN.render(SampleReports.repeated().rows()))
        .contains("# 24.1  [23.4 to 25.5]\n")
        .satisfies(text -> assertThat(text.lines()).allMatch(line -> line.length() <= 80));
  }

  @Test
  void littleIsOneColumnAndNothingOrLessIsNone() {
    assertThat(ReportBars.columns(0.001, 100)).isEqualTo(1);
    assertThat(ReportBars.columns(0, 100)).isZero();
    assertThat(ReportBars.columns(-3, 100)).isZero();
    assertThat(ReportBars.columns(5, 0)).isZero();
    assertThat(ReportBars.columns(100, 100)).isEqualTo(40);
  }

  @Test
  void aSystemThatMetNoPhaseSaysSo() {
    var rows = Summary.of(java.util.List.of(SampleReports.run("FullDelay", "Sort", 2, 30, 1)));
    assertThat(PLAIN.render(rows)).contains("  FullDelay   no phase\n");
  }
}
