package io.eley.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.StayCause;
import io.eley.bb.api.UnderWay;
import io.eley.bb.api.wire.DeploymentReport.ApplicationReport;
import io.eley.bb.api.wire.DeploymentReport.ForecastReport;
import io.eley.bb.api.wire.DeploymentReport.NodeReport;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.bb.api.wire.Stayed;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusTextTest {
  private final Reports report = new Reports();

  private List<String> lines() {
    var text = new StringWriter();
    StatusText.print(report.get(), new PrintWriter(text));
    return text.toString().lines().toList();
  }

  private String line(String begin) {
    return lines().stream().filter(l -> l.startsWith(begin)).findFirst().orElse("no " + begin);
  }

  @Test
  void aQuietDeployment() {
    report.source("announced", "fresh", 0, "");
    assertThat(lines().subList(0, 4))
        .containsExactly(
            "FullDelay over file:///mnt/pfs, up 59s",
            "permits: no phase (full-delay); phases open: none",
            "sources: announced fresh",
            "");
    assertThat(lines()).contains("origin bytes read: none").endsWith("no Spark application");
  }

  @ParameterizedTest
  @CsvSource({"999, 0s", "61000, 1m1s", "3661000, 1h1m", "90000000, 25h0m"})
  void uptimesInTheirTwoLargestUnits(long millis, String shown) {
    report.uptimeMillis = millis;
    assertThat(lines().get(0)).endsWith("up " + shown);
  }

  @Test
  void openPhasesWithWhoSaysSo() {
    report.permitReason = "full delay for climate";
    report.phase("climate", "announced+slurm", 100, 1500).phase("ior", "probe", 70, 200);
    assertThat(lines().get(1))
        .isEqualTo("permits: full delay for climate (full-delay); phases open: climate, ior");
    assertThat(line("  climate"))
        .isEqualTo("  climate for 1.5 s, says announced+slurm, 100 % certain");
    assertThat(line("  ior")).isEqualTo("  ior for 0.2 s, says probe, 70 % certain");
  }

  @Test
  void whatIsExpectedAndWhatTheModelsSay() {
    report.forecasts.add(new ForecastReport("climate", 2500, 900, 80));
    report.models.add("climate: slowdown 0.1 at 10 MB/s");
    assertThat(line("expected:")).isEqualTo("expected: climate in 2.5 s for 0.9 s, 80 % certain");
    assertThat(lines()).contains("climate: slowdown 0.1 at 10 MB/s");
  }

  @Test
  void aLostSourceSaysForHowLongAndWhy() {
    report.source("slurm", "lost", 12_000, "sstat: denied").source("probe", "absent", 0, "");
    assertThat(line("sources:"))
        .isEqualTo("sources: slurm lost for 12s (sstat: denied); probe absent");
  }

  @Test
  void nodesWithTheirRamAndHits() {
    report
        .node(
            "a-node-with-a-long-name",
            true,
            200L << 20,
            150L << 20,
            Map.of(ReadCause.PREFETCH, 5L << 20, ReadCause.DEMAND, 1000L))
        .node("n2", false);
    assertThat(line("a-node"))
        .isEqualTo(
            "a-node-with-a… 10.0.0.1:7001              100 /    512       7       3      200m"
                + "     75%   open     2");
    assertThat(line("n2")).contains("-%").contains("closed");
    assertThat(line("origin bytes read:")).contains("PREFETCH 5m").contains("DEMAND 1000");
  }

  /** All rows are as long as the header, however long hosts are called. */
  @Test
  void longNamesOfHostsShiftNoRow() {
    String host = "gpu-node-0123.cluster.site.example";
    report.node("n1", true);
    report.nodes.add(new NodeReport("n2", host, 7001, 0, NodeCounters.starting(1 << 20, 1)));
    String header = line("node");
    assertThat(line("n1")).hasSameSizeAs(header);
    assertThat(line("n2")).hasSameSizeAs(header).startsWith("n2             " + host + ":7001 ");
  }

  @Test
  void aNodeWithPartsOfBlocks() {
    report.nodes.add(
        new NodeReport(
            "n1",
            "10.0.0.1",
            7001,
            5,
            new NodeCounters(
                9,
                8,
                7,
                6,
                5,
                Map.of(),
                4,
                3,
                2,
                true,
                1,
                0,
                false,
                3L << 20,
                new NodeCounters.Scratch(
                    2L << 20, 17, 3, 2, new NodeCounters.Overflow(5L << 20, 9L << 20, 4)),
                true,
                12,
                UnderWay.NONE)));
    assertThat(lines()).contains("               3m of it in parts of blocks");
    assertThat(lines())
        .contains(
            "               5m of 9m of its overflow on disk; outputs of map tasks: 4 taken",
            "               2 times a task of an application or shuffle that had ended was refused");
    assertThat(lines()).contains("               the origin asked 12 times for fewer requests");
    assertThat(lines()).noneMatch(line -> line.contains("others fill"));
  }

  @Test
  void aNodeThatHasJoinedAndDoesNotServeYet() {
    String says = "               it is opening the origin: reads go past it until then";
    report.nodes.add(new NodeReport("n1", "h", 1, 0, NodeCounters.starting(1 << 20, 1)));
    assertThat(lines()).contains(says);
  }

  @Test
  void applicationsWithTheirIntermediateData() {
    var scratch =
        new NodeCounters.Scratch(0, 0, 0, 0, NodeCounters.Overflow.NONE)
            .with(
                List.of(
                    new NodeCounters.Held("app-1", 3 << 20, 0, 4, 0, 0),
                    new NodeCounters.Held("app-2", 1 << 20, 2 << 20, 5, 3, 7),
                    new NodeCounters.Held("app-3", 0, 0, 0, 0, 0)));
    var counters =
        new NodeCounters(
            1,
            0,
            0,
            0,
            0,
            Map.of(),
            0,
            0,
            0,
            true,
            0,
            0,
            false,
            0,
            scratch,
            true,
            0,
            UnderWay.NONE);
    report.nodes.add(new NodeReport("n1", "h", 1, 0, counters));
    report.nodes.add(new NodeReport("n2", "h", 2, 0, counters));
    report.applications.add(
        new ApplicationReport("app-1", "WordCount", 8, 64L << 20, 48L << 20, 100, 7, 0));
    assertThat(lines())
        .containsSubsequence(
            " ".repeat(29)
                + "intermediate data: 6m in RAM, 0 on disk; outputs of map tasks: 8 there, 0 times"
                + " no room",
            "app-2",
            " ".repeat(29)
                + "intermediate data: 2m in RAM, 4m on disk; outputs of map tasks: 10 there, 14"
                + " times no room",
            "app-3");
  }

  @Test
  void whatStayedWithExecutorsAndWhy() {
    var stayed =
        List.of(
            new Stayed(StayCause.NO_ROOM, 7, 3 << 20), new Stayed(StayCause.NO_ANSWER, 1, 1000));
    report.applications.add(new ApplicationReport("app-1", "WordCount", 8, 0, 0, 9, 7, 0, stayed));
    assertThat(lines())
        .containsSubsequence(
            " ".repeat(29) + "7 outputs (3m) of app-1 stayed with executors: no node had room",
            " ".repeat(29)
                + "1 output (1000) of app-1 stayed with executors: no node with room answered,"
                + " had a shuffle service, or took one more writer");
    assertThat(Json.document("applications", report.get().applications()))
        .contains("\"stayed\"", "\"NO_ROOM\"", "\"NO_ANSWER\"");
  }

  @Test
  void applicationsWithTheirWindows() {
    report.applications.add(
        new ApplicationReport("app-1", "WordCount", 8, 64L << 20, 48L << 20, 100, 7, 0));
    assertThat(lines()).doesNotContain("no Spark application");
    assertThat(line("app-1"))
        .isEqualTo(
            "app-1                        WordCount                8            48 /       64"
                + "       7 /  100");
    assertThat(lines()).noneMatch(line -> line.contains("did not read"));
  }

  @Test
  void whatTasksDidNotRead() {
    report.applications.add(new ApplicationReport("app-1", "WordCount", 8, 0, 0, 9, 7, 5L << 20));
    assertThat(lines())
        .contains("                             5m were in RAM for tasks that did not read them");
  }
}
