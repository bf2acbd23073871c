package io.eley.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentReportTest {
  @Test
  void aReportReadFromItsJsonIsTheSame() throws IOException {
    var report = SampleReports.report();

    assertThat(ExperimentReport.fromJson(report.toJson())).isEqualTo(report);
  }

  @Test
  void theJsonHasTheFieldsThatScriptsRelyOn() throws IOException {
    JsonNode json = new ObjectMapper().readTree(SampleReports.report().toJson());

    assertThat(names(json)).contains("host", "parameters", "runs", "verdicts");
    assertThat(names(json.path("host"))).contains("cores", "jdk", "kernel", "cpu");
    assertThat(json.path("runs")).hasSize(8);
    for (var run : json.path("runs")) {
      assertThat(names(run))
          .contains(
              "mode",
              "workload",
              "mapSeconds",
              "totalSeconds",
              "inputBytes",
              "hitRatio",
              "phases",
              "holdLatencyMillis",
              "origin");
      assertThat(run.path("phases")).isNotEmpty();
      for (var phase : run.path("phases")) {
        assertThat(names(phase)).contains("seconds", "aloneSeconds", "ourBytes", "startSeconds");
      }
    }
    var naive = json.path("runs").path(1);
    assertThat(naive.path("mode").asText()).isEqualTo("NaiveBB");
    assertThat(naive.path("origin").path("DIRECT").asLong()).isPositive();
    assertThat(names(json.path("verdicts").path(0)))
        .contains("id", "expectation", "measured", "bound", "met");
  }

  @Test
  void fieldsOfANewerReportAreSkipped() throws IOException {
    String newer = SampleReports.report().toJson().replaceFirst("\\{", "{ \"weather\" : \"fair\",");

    assertThat(ExperimentReport.fromJson(newer)).isEqualTo(SampleReports.report());
  }

  @Test
  void writingReplacesTheFileAndLeavesNothingElse(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("report.json");
    Files.writeString(file, "old");

    SampleReports.report().write(file);

    assertThat(ExperimentReport.fromJson(Files.readString(file))).isEqualTo(SampleReports.report());
    assertThat(directory).isDirectoryContaining(file::equals);
    try (var files = Files.list(directory)) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void describesThisHost() {
    var host = Host.describe("abc");

    assertThat(host.cores()).isPositive();
    assertThat(host.kernel()).startsWith(System.getProperty("os.name"));
    assertThat(host.jdk()).contains(System.getProperty("java.runtime.version"));
    assertThat(host.commit()).isEqualTo("abc");
  }

  private static java.util.List<String> names(JsonNode node) {
    var names = new java.util.ArrayList<String>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
