package io.eley.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReportTableTest {
  @Test
  void theTableIsAlignedAndHasEveryColumn() {
    assertThat(ReportTable.table(SampleReports.report()))
        .isEqualTo(
            """
            Workload   Mode       Map s  Total s  Phases  Mean s  Worst s  Alone s  Slower %  Ours MiB  Hold ms  Hits %
            -----------------------------------------------------------------------------------------------------------
            WordCount  HPCAlone       -        -       2    2.49     2.50     2.50         -       0.0        -       -
            WordCount  NaiveBB     33.2     36.2       4    3.63     3.64     2.50     +45.0     192.0        -       0
            WordCount  NoAction    18.4     21.4       2    3.29     3.31     2.50     +31.6     141.0        -      93
            WordCount  FullDelay   24.1     27.1       3    2.54     2.56     2.50      +1.7       3.0       11      88
            -----------------------------------------------------------------------------------------------------------
            Sort       HPCAlone       -        -       2    2.51     2.51     2.50         -       0.0        -       -
            Sort       NaiveBB     26.6     29.6       3    3.59     3.65     2.50     +43.7     139.0        -       0
            Sort       NoAction    14.7     17.7       2    3.30     3.33     2.50     +32.0      98.0        -      93
            Sort       FullDelay   19.3     22.3       3    2.53     2.54     2.50      +1.3       2.0       11      88
            -----------------------------------------------------------------------------------------------------------
            """);
  }

  @Test
  void repetitionsAreMediansWithTheirRangesBelow() {
    assertThat(ReportTable.table(SampleReports.repeated()))
        .contains("WordCount  FullDelay        24.1        27.1      10", "  of 3     23.4..25.5")
        .satisfies(table -> assertThat(table.lines()).allMatch(line -> line.length() <= 125));
  }

  @Test
  void theEndIsBothSidesAsBarsAndOneSentence() {
    var report = SampleReports.report();
    String shown = ReportTable.render(report, new ReportBars('#'));

    assertThat(shown)
        .endsWith("  FullDelay  # +1.3\n\n" + ReportTable.wrapped(report.conclusion()));
    assertThat(ReportTable.wrapped(report.conclusion()).lines())
        .allMatch(line -> line.length() <= 80)
        .noneMatch(line -> line.startsWith("%") || line.startsWith("s "));
  }

  @Test
  void everyLineOfTheTableFitsATerminal() {
    assertThat(ReportTable.table(SampleReports.report()).lines())
        .allMatch(line -> line.length() <= 110);
  }

  @Test
  void verdictsFollowWithMeasuredValueAndBound() {
    assertThat(ReportTable.render(SampleReports.report()))
        .contains("met          WordCount: NoAction's map phase takes at most 0.6 of NaiveBB's")
        .contains("0.55 × NaiveBB (bound 0.60); 18.4 s against NaiveBB's 33.2 s");
  }

  @Test
  void anExpectationThatIsNotMetIsSaidLoudly() {
    var sample = SampleReports.report();
    var report =
        ExperimentReport.of(
            sample.createdAt(),
            sample.host(),
            sample.parameters(),
            java.util.List.of(SampleReports.run("FullDelay", "Sort", 20, 2.9, 0.5)));

    assertThat(ReportTable.render(report)).contains("NOT MET      Sort: FullDelay's HPC phases");
  }
}
