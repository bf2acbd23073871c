package io.eley.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ReportCommandTest {
  @TempDir private Path temp;

  private final StringWriter out = new StringWriter();
  private String failure = "";

  @Test
  void aReportThatIsNoReportIsSaid() throws Exception {
    Path file = Files.writeString(temp.resolve("report.json"), "{");
    assertThat(run("check", file.toString())).isEqualTo(1);
    assertThat(failure).contains("cannot read the report");
  }

  @Test
  void aPageOfAReportThatIsNotThereOrIsNoneIsNotAQuestionOfWriting() throws Exception {
    Path none = temp.resolve("none.json");
    assertThat(run("html", none.toString())).isEqualTo(1);
    assertThat(failure).isEqualTo("cannot read the report " + none + ": there is none");

    Path broken = Files.writeString(temp.resolve("broken.json"), "{");
    assertThat(run("html", broken.toString())).isEqualTo(1);
    assertThat(failure).startsWith("cannot read the report " + broken + ": it is no report");
    assertThat(temp.resolve("report.html")).doesNotExist();
  }

  @Test
  void aReportIsShownAndItsPageMade() throws Exception {
    Path file = temp.resolve("report.json");
    SampleReports.report().write(file);
    assertThat(run("show", file.toString())).isZero();
    assertThat(out.toString()).isEqualTo(ReportTable.render(SampleReports.report()));
    assertThat(run("html", file.toString())).isZero();
    assertThat(temp.resolve("report.html")).content().startsWith("<!DOCTYPE html>");
  }

  @Test
  void whatIsWrongWithAReportIsCountedAndNamed() throws Exception {
    var sample = SampleReports.report();
    var incomplete =
        ExperimentReport.of("now", sample.host(), sample.parameters(), sample.runs().subList(0, 2));
    Path file = temp.resolve("report.json");
    incomplete.write(file);
    assertThat(run("check", file.toString())).isEqualTo(1);
    assertThat(out.toString())
        .contains("fault: not so: every repetition of every workload has all four modes");
  }

  private int run(String... arguments) {
    return new CommandLine(ReportCommand.class)
        .setOut(new PrintWriter(out, true))
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              failure = String.valueOf(e.getMessage());
              return 1;
            })
        .execute(arguments);
  }
}
