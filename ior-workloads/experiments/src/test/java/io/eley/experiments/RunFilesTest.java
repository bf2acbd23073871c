package io.eley.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.report.PhaseRecord;
import io.eley.report.RunRecord;
import io.eley.report.RunTimeline;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFilesTest {
  @TempDir private Path directory;

  private static RunRecord record() {
    var timeline =
        new RunTimeline(
            0,
            2,
            List.of(new RunTimeline.Span(0, 2)),
            List.of(new RunTimeline.Task(0.5, 1.5, 0, "127.0.0.2")),
            List.of(),
            0.5,
            Map.of("PREFETCH", List.of(1L, 2L, 4L, 8L)),
            List.of(0L, 0L, 5L, 5L),
            List.of(new RunTimeline.Span(0.75, 1.25)));
    return new RunRecord(
        "FullDelay/announced",
        "WordCount",
        2.0,
        2.0,
        1,
        1.0,
        List.of(new PhaseRecord(1, 1, 0.5, 12, 0, true, "ior")),
        List.of(),
        Map.of("PREFETCH", 15L),
        "d",
        timeline,
        1);
  }

  @Test
  void thereIsARowForEachTaskPhaseAndSecond() throws Exception {
    RunFiles.write(record(), directory);

    assertThat(directory.resolve("tasks.csv"))
        .hasContent("start_s,end_s,wave,host\n0.5,1.5,0,127.0.0.2\n");
    assertThat(Files.readString(directory.resolve("phases.csv")))
        .endsWith("\nior,1.0,1.0,0.5,true,12\n");
    assertThat(directory.resolve("seconds.csv"))
        .hasContent("second,hpc_bytes,held_s,prefetch_bytes\n0,0,0.25,3\n1,10,0.25,12\n");
  }

  @Test
  void theLedgersPhasesAreInTheRunsTime() throws Exception {
    Files.writeString(
        directory.resolve("ledger.csv"),
        """
        application,source,began,seconds,ending
        somebody,reads,1970-01-01T00:00:03.500Z,5.25,QUIET
        """);

    var phases = RunFiles.ledger(directory, 1000);

    assertThat(phases).hasSize(1);
    assertThat(phases.get(0).startSeconds()).isEqualTo(2.5);
    assertThat(phases.get(0).seconds()).isEqualTo(5.25);
    assertThat(phases.get(0).ending()).isEqualTo("QUIET");
  }

  @Test
  void whatIsNoLedgerCostsItsPhasesAndNotTheRun() throws Exception {
    assertThat(RunFiles.ledger(directory, 0)).isEmpty();
    Files.writeString(directory.resolve("ledger.csv"), "a,b\n1,2\n");
    assertThat(RunFiles.ledger(directory, 0)).isEmpty();
  }
}
