package io.eley.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
  void aReportOfTheFirstShapeHasWhatFollowsFromItsRuns() throws IOException {
    var json = (ObjectNode) new ObjectMapper().readTree(SampleReports.report().toJson());
    json.put("formatVersion", 1).remove(List.of("repetitions", "rows", "conclusion"));
    json.path("runs").forEach(run -> ((ObjectNode) run).remove("repetition"));

    var old = ExperimentReport.fromJson(json.toString());

    assertThat(old.formatVersion()).isEqualTo(1);
    assertThat(old.repetitions()).isEqualTo(1);
    assertThat(old.rows()).isEqualTo(SampleReports.report().rows());
    assertThat(old.conclusion()).isEqualTo(SampleReports.report().conclusion());
    assertThat(old.runs()).isEqualTo(SampleReports.report().runs());
  }

  @Test
  void aReportOfANewerShapeIsRefused() {
    String newer =
        SampleReports.report().toJson().replace("\"formatVersion\" : 2", "\"formatVersion\" : 3");

    assertThatThrownBy(() -> ExperimentReport.fromJson(newer))
        .hasMessage("it is of format 3, and this eley knows formats to 2");
    assertThatThrownBy(() -> ExperimentReport.fromJson("null")).hasMessage("it is no report");
  }

  @Test
  void repetitionsAreInTheJsonWithTheirMedians() throws IOException {
    var json = new ObjectMapper().readTree(SampleReports.repeated().toJson());

    assertThat(json.path("repetitions").asInt()).isEqualTo(3);
    assertThat(json.path("runs").path(11).path("repetition").asInt()).isEqualTo(3);
    var map = json.path("rows").path(3).path("mapSeconds");
    assertThat(map.path("median").asDouble()).isCloseTo(24.1, within(1e-6));
    assertThat(map.path("least").asDouble()).isLessThan(map.path("most").asDouble());
    assertThat(ExperimentReport.fromJson(json.toString())).isEqualTo(SampleReports.repeated());
    assertThat(SampleReports.repeated().middleRepetition("WordCount")).isEqualTo(3);
    assertThat(ReportCheck.faults(SampleReports.repeated()))
        .noneMatch(fault -> fault.contains("repetition") || fault.contains("follow"));
  }

  @Test
  void aRepetitionThatIsMissingIsAFault() {
    var all = SampleReports.repeated();
    var fewer = ExperimentReport.of("now", all.host(), all.parameters(), all.runs().subList(1, 12));
    assertThat(ReportCheck.faults(fewer))
        .contains("not so: every repetition of every workload has all four modes, once");
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
