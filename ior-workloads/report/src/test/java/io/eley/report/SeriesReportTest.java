package io.eley.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;
import picocli.CommandLine;

class SeriesReportTest {
  @TempDir private Path directory;

  /** Four phases of these lengths, 2 s alone, 10 s apart; held 0.25 s after each begin. */
  private static SeriesRun run(String system, @Nullable Double map, double... seconds) {
    var phases = new ArrayList<PhaseRecord>();
    var closed = new ArrayList<RunTimeline.Span>();
    for (int i = 0; i < seconds.length; i++) {
      phases.add(new PhaseRecord(10 * i, seconds[i], 2, 3 << 20, 0, true, "ior"));
      closed.add(new RunTimeline.Span(10 * i + 0.25, 10 * i + seconds[i]));
    }
    boolean alone = map == null;
    var timeline =
        new RunTimeline(
            0,
            45,
            map == null ? List.of() : List.of(new RunTimeline.Span(0, map)),
            List.of(),
            List.of(),
            0.1,
            Map.of("PREFETCH", List.of(1L << 20, 1L << 20)),
            List.of(),
            alone ? List.of() : closed);
    var record =
        new RunRecord(
            system,
            "WordCount",
            map,
            map,
            1,
            alone ? null : 0.5,
            phases,
            List.of(),
            Map.of("PREFETCH", 2L << 20),
            alone ? null : "d",
            timeline,
            1);
    var ledger = List.of(new LedgerPhase("somebody", "reads", 0.2, 2, "QUIET"));
    return new SeriesRun(1, "runs/" + system.replace('/', '-'), record, ledger);
  }

  private static SeriesReport report(List<String> failures) {
    var frame =
        new SeriesReport.Frame(
            "knowledge",
            "All of <them>.",
            Host.describe(null),
            Map.of("Input", "1g"),
            4 + failures.size(),
            runs -> List.of(new PaperValue("WordCount", "what", "-61", -50.0, "%")),
            rows -> List.of(new Verdict("id", "WordCount", "e", 1.0, 2, "%", true, "x")));
    return SeriesReport.of(
        "2026-11-22T00:00:00Z",
        frame,
        List.of(
            run(RunRecord.HPC_ALONE, null, 2, 2),
            run("NaiveBB", 40.0, 3, 3, 3, 3),
            run("FullDelay/own-reads", 30.0, 2.2, 2.4, 2.6, 2.1),
            run("FullDelay/own-reads", 32.0, 2.2, 2.2, 2.2, 2.02)),
        failures);
  }

  @Test
  void aRowHasMediansOfAllRepetitionsAndTheWorst() {
    var row = report(List.of()).rows().get(2);

    assertThat(row.runs()).isEqualTo(2);
    assertThat(row.mapMedian()).isEqualTo(31);
    assertThat(row.mapWorst()).isEqualTo(32);
    assertThat(row.againstNaive()).isEqualTo(31.0 / 40);
    assertThat(row.earlyPercent()).isCloseTo(10, within(1e-9));
    assertThat(row.laterPercent()).isCloseTo(3, within(1e-9));
    assertThat(row.worstPercent()).isCloseTo(30, within(1e-9));
    assertThat(row.heldMedian()).isEqualTo(250);
    assertThat(row.ledgerPhases()).isEqualTo(2);
    assertThat(row.phases()).isEqualTo(8);
    assertThat(row.ourMebibytes()).isEqualTo(3);
  }

  @Test
  void aPhaseThatWasNeverHeldCountsWhole() {
    var run = run("FullDelay/nothing", 40.0, 3);
    var timeline = run.record().timeline();
    assertThat(timeline.closedPermits()).hasSize(1);

    var unheld = run("NaiveBB", null, 3);

    assertThat(unheld.heldAfterMillis()).containsExactly(3000.0);
    assertThat(run.heldAfterMillis()).containsExactly(250.0);
  }

  @Test
  void jsonGivesTheSameReportBack() throws Exception {
    var report = report(List.of("runs/x: gone"));

    assertThat(SeriesReport.recognises(report.toJson())).isTrue();
    assertThat(SeriesReport.fromJson(report.toJson())).isEqualTo(report);
  }

  @Test
  void aReportIsItsDataItsPageAndItsPictures() throws Exception {
    report(List.of()).write(directory);

    assertThat(Files.readString(directory.resolve("report.html")))
        .contains("All of &lt;them&gt;.", "FullDelay/own-reads", "-61 %", "<svg");
    try (var files = Files.list(directory.resolve("figures"))) {
      for (Path figure : files.toList()) {
        var xml = new InputSource(new StringReader(Files.readString(figure)));
        var root = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(xml);
        assertThat(root.getDocumentElement().getTagName()).isEqualTo("svg");
      }
    }
    assertThat(directory.resolve("figures/hpc-phases.svg")).exists();
    assertThat(directory.resolve("figures/NaiveBB.svg")).exists();
  }

  @Test
  void theTableHasTheRowsThePaperAndTheFailures() {
    assertThat(SeriesTable.render(report(List.of("runs/x: gone"))))
        .contains("+10.0", "+3.0", "0.78", "2 of 8", "-61 %", "-50 %", "failed: runs/x: gone");
  }

  @Test
  void theReportsVerbsTakeASeriesToo() throws Exception {
    report(List.of()).write(directory);

    assertThat(verb("show", 0)).contains("FullDelay/own-reads");
    assertThat(verb("check", 0)).contains("7 passed, 0 failed");
    assertThat(verb("html", 0)).contains("report.html");
    report(List.of("runs/x: gone")).write(directory);
    assertThat(verb("check", 1)).contains("not so: no run has failed");
  }

  /** As Ctrl-C leaves it: the report is written after each run. */
  @Test
  void aSeriesThatWasCutShortIsNotComplete() throws Exception {
    var whole = report(List.of());
    changed(whole, whole.formatVersion(), 45, whole.rows()).write(directory);

    assertThat(verb("check", 1))
        .contains("fault: not so: every run that was planned was made", "6 passed, 1 failed");
  }

  @Test
  void rowsThatDoNotFollowFromTheRunsAreAFault() throws Exception {
    var whole = report(List.of());
    changed(whole, whole.formatVersion(), whole.planned(), whole.rows().subList(0, 2))
        .write(directory);

    assertThat(verb("check", 1)).contains("fault: not so: rows are those that follow", "6 passed");
  }

  @Test
  void anOlderReportDoesNotSayHowManyRunsWerePlannedAndANewerOneIsRefused() throws Exception {
    var whole = report(List.of());
    changed(whole, 1, 0, whole.rows()).write(directory);
    assertThat(verb("check", 0)).contains("7 passed, 0 failed");

    var newer = changed(whole, SeriesReport.FORMAT_VERSION + 1, 4, whole.rows()).toJson();
    assertThatThrownBy(() -> SeriesReport.fromJson(newer))
        .isInstanceOf(IOException.class)
        .hasMessage("it is of format 3, and this eley knows formats to 2");
    assertThatThrownBy(() -> SeriesReport.fromJson("null")).hasMessage("it is no report");
  }

  private static SeriesReport changed(
      SeriesReport report, int format, int planned, List<SeriesRow> rows) {
    return new SeriesReport(
        format,
        report.createdAt(),
        report.experiment(),
        report.description(),
        report.host(),
        report.configuration(),
        planned,
        report.runs(),
        rows,
        report.paper(),
        report.verdicts(),
        report.failures());
  }

  private String verb(String verb, int code) {
    var out = new StringWriter();
    assertThat(
            new CommandLine(ReportCommand.class)
                .setOut(new PrintWriter(out, true))
                .execute(verb, directory.resolve("report.json").toString()))
        .isEqualTo(code);
    return out.toString();
  }
}
