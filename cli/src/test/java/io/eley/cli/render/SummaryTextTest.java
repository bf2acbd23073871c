package io.eley.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.wire.DeploymentReport.Totals;
import io.eley.prefetcher.control.PhaseEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lines at the end of a job's output. */
class SummaryTextTest {
  private static final long MIB = 1 << 20;

  /** The coordinator of {@link Reports} has started when the phase of {@link Entries} began. */
  private static final Instant NOW = Entries.BEGAN.plusSeconds(59);

  /** Two nodes of 512 MiB each. */
  private static List<String> summary(
      long readMiB, long ramMiB, Totals totals, List<PhaseEntry> ledger) {
    return summary(BufferMode.FULL_DELAY, readMiB, ramMiB, totals, ledger);
  }

  private static List<String> summary(
      BufferMode mode, long readMiB, long ramMiB, Totals totals, List<PhaseEntry> ledger) {
    var reports = new Reports();
    reports.mode = mode;
    reports.totals = totals;
    reports.node("n1", true, readMiB * MIB / 2, ramMiB * MIB / 2, Map.of());
    reports.node("n2", true, readMiB * MIB / 2, ramMiB * MIB / 2, Map.of());
    return SummaryText.lines(reports.get(), ledger, NOW, SizeOptions.OF_A_JOB);
  }

  private static List<String> summary(
      long readMiB, long ramMiB, Totals totals, List<PhaseEntry> ledger, Instant now) {
    var reports = new Reports();
    reports.totals = totals;
    reports.node("n1", true, readMiB * MIB, ramMiB * MIB, Map.of());
    return SummaryText.lines(reports.get(), ledger, now, SizeOptions.OF_A_JOB);
  }

  private static PhaseEntry phase(Duration length, Duration alone, Duration resolution) {
    PhaseEntry e = Entries.known("climate@alice#12");
    return new PhaseEntry(
        e.application(),
        e.source(),
        e.began(),
        length,
        e.predicted(),
        Optional.of(new PhaseEntry.Alone(alone, 0)),
        e.foreignBytesPerSecond(),
        e.hold(),
        e.ourBytes(),
        e.metadataCalls(),
        e.operator(),
        e.decision(),
        new PhaseEntry.Observed("QUIET", resolution, ""));
  }

  @Test
  void whatWasReadMetAndCouldBeBetter() {
    assertThat(
            summary(
                4000,
                3920,
                new Totals(1, 8, 100, 50_000, 0),
                List.of(Entries.known("climate@alice#12"), Entries.unknown("big"))))
        .containsExactly(
            "100 tasks of 1 application read 4000m, 98 % of it from RAM; they waited 50.0 s for it,"
                + " 0.50 s each",
            "2 phases of others, 11.5 s in all: climate@alice#12, big; all nodes held in 1;"
                + " +5.0 % against alone (median of 1)",
            "next time: nothing to change");
  }

  @Test
  void withoutReadsItIsSaidHowToRead() {
    assertThat(summary(0, 0, new Totals(1, 4, 0, 0, 0), List.of()))
        .containsExactly(
            "nothing was read through the buffer",
            "no phase of others was met",
            "next time: read bb:///path/under/the/origin, or set spark.hadoop.fs.file.impl"
                + " (docs/spark.md)");
  }

  /** As of a command that is not there, or fails before it reads. */
  @Test
  void whereNoApplicationCameTheReasonIsTheCommands() {
    assertThat(summary(0, 0, Totals.NONE, List.of()).get(2))
        .isEqualTo(
            "next time: see what your command said: no application with Eley's settings has come"
                + " (docs/spark.md)");
  }

  /** A quarter of a second on two is no 25 percent when times are a quarter of a second off. */
  @Test
  void whatNoTaskReadIsNotSaidOfTasks() {
    assertThat(summary(40, 10, new Totals(1, 4, 0, 0, 0), List.of()).get(0))
        .startsWith("no task has read through the buffer yet; others have read ");
  }

  @Test
  void whatIsBelowTheResolutionIsNoSlowdown() {
    var two = Duration.ofSeconds(2);
    var slower = Duration.ofMillis(2250);
    assertThat(
            summary(0, 0, Totals.NONE, List.of(phase(slower, two, Duration.ofMillis(250)))).get(1))
        .endsWith("; no slowdown that can be told: its times may be off by 25.0 % (median of 1)");
    assertThat(
            summary(0, 0, Totals.NONE, List.of(phase(slower, two, Duration.ofMillis(100)))).get(1))
        .endsWith("; +12.5 % against alone (median of 1)");
  }

  /** The ledger outlives a deployment; what its coordinator and nodes have counted does not. */
  @Test
  void phasesOfEarlierRunsAreNotThisOnes() {
    var long30 = phase(Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ZERO);
    var totals = new Totals(1, 4, 400, 0, 0);
    var weekLater = NOW.plus(Duration.ofDays(7));

    assertThat(summary(6400, 3200, totals, List.of(long30), weekLater).subList(1, 3))
        .containsExactly(
            "no phase of others was met",
            "next time: more --buffer-nodes, which read side by side: the origin gave less than"
                + " tasks asked for");
    var report = new Reports().get();
    assertThat(SummaryJson.render(report, List.of(long30), weekLater, SizeOptions.OF_A_JOB))
        .contains("\"phases\" : 0", "\"phaseSeconds\" : 0.0");
    assertThat(SummaryJson.render(report, List.of(long30), NOW, SizeOptions.OF_A_JOB))
        .contains("\"phases\" : 1", "\"phaseSeconds\" : 30.0");
  }

  /** Nodes count since their start, which is another one when a coordinator was started again. */
  @Test
  void whatNodesServedBeforeTheCoordinatorCountedIsNotOfItsTasks() {
    var totals = new Totals(1, 12, 12, 0, 0).withServed(1024 * MIB, 512 * MIB);
    assertThat(summary(101 * 1024, 100 * 1024, totals, List.of()).get(0))
        .startsWith("12 tasks of 1 application read 1024m, 50 % of it from RAM");
  }

  @Test
  void aPhaseInWhichTheCoordinatorStartedIsMet() {
    var long30 = phase(Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ZERO);
    assertThat(summary(0, 0, Totals.NONE, List.of(long30), NOW.plusSeconds(29)).get(1))
        .startsWith("1 phase of others, 30.0 s in all");
    assertThat(summary(0, 0, Totals.NONE, List.of(long30), NOW.plusSeconds(30)).get(1))
        .isEqualTo("no phase of others was met");
  }

  @Test
  void whatWentPastTheNodesIsPartOfWhatWasRead() {
    List<String> lines = summary(900, 900, new Totals(2, 8, 100, 0, 100 * MIB), List.of());
    assertThat(lines.get(0))
        .startsWith("100 tasks of 2 applications read 1000m, 90 % of it from RAM, 10 % past the");
    assertThat(lines.get(2)).contains("find out why nodes could not serve");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // read, in RAM, wave, tasks
        "64000 | 32000 | 100 | 4000 | --buffer-memory=2000m, or more nodes: a wave and the next are 3200m",
        "64000 | 32000 | 4 | 4000 | more --buffer-nodes",
        "640 | 320 | 40 | 64 | smaller partitions",
        "6400 | 6400 | 1 | 640 | nothing to change",
        "64000 | 60900 | 4 | 4000 | nothing to change"
      })
  void theOneThingToChange(long read, long ram, int wave, long tasks, String advice) {
    assertThat(summary(read, ram, new Totals(1, wave, tasks, 0, 0), List.of()).get(2))
        .startsWith("next time: " + advice);
  }

  /** {@code eley run} refuses what only {@code eley sbatch} has. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1000 | --memory=40000m, or more nodes: ",
        "4 | more --nodes, which read side by side",
      })
  void onThisMachineTheOptionsAreThoseOfStart(int wave, String advice) {
    var reports = new Reports();
    reports.totals = new Totals(1, wave, 4000, 0, 0);
    reports.node("n1", true, 64000 * MIB, 32000 * MIB, Map.of());
    assertThat(SummaryText.lines(reports.get(), List.of(), NOW, SizeOptions.OF_THIS_MACHINE).get(2))
        .startsWith("next time: " + advice);
  }

  /** A job with a directive has a capacity, and no options. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1000 | capacity=40000M in #BB_LUA: a wave and the next are 32000m, the nodes hold ",
        "4 | more capacity in #BB_LUA, for more hosts, which read side by side",
        "60000 | capacity=2344G in #BB_LUA: ",
      })
  void ofADirectiveTheAdviceIsItsWords(int wave, String advice) {
    var reports = new Reports();
    reports.totals = new Totals(1, wave, 4000, 0, 0);
    reports.node("n1", true, 32000 * MIB, 16000 * MIB, Map.of());
    reports.node("n2", true, 32000 * MIB, 16000 * MIB, Map.of());
    assertThat(SummaryText.lines(reports.get(), List.of(), NOW, SizeOptions.OF_A_DIRECTIVE).get(2))
        .startsWith("next time: " + advice);
  }

  @Test
  void longPhasesAreMetByReadingFurtherAhead() {
    var long30 = phase(Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ZERO);
    assertThat(summary(6400, 3200, new Totals(1, 4, 400, 0, 0), List.of(long30)).get(2))
        .isEqualTo(
            "next time: more --buffer-memory: with eley.window.waves=auto windows grow into half"
                + " of it, to last for phases (30 of 59 s)");
  }

  @Test
  void aBufferThatIsFarTooLargeIsSaidToBe() {
    var reports = new Reports();
    reports.totals = new Totals(1, 4, 400, 0, 0);
    reports.capacityBytes = 8L << 30;
    reports.node("n1", true, 6400 * MIB, 6400 * MIB, Map.of());
    assertThat(SummaryText.lines(reports.get(), List.of(), NOW, SizeOptions.OF_A_JOB).get(2))
        .isEqualTo("next time: --buffer-memory=256m would do");
    assertThat(SummaryText.lines(reports.get(), List.of(), NOW, SizeOptions.OF_THIS_MACHINE).get(2))
        .isEqualTo("next time: --memory=256m would do");
    var long30 = phase(Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ZERO);
    assertThat(SummaryText.lines(reports.get(), List.of(long30), NOW, SizeOptions.OF_A_JOB).get(2))
        .as("what windows need to last for phases is more than two waves")
        .isEqualTo("next time: nothing to change");
  }

  @Test
  void inNaiveBbNothingIsPrefetched() {
    assertThat(
            summary(BufferMode.NAIVE_BB, 0, 0, new Totals(1, 4, 9, 0, 90 * MIB), List.of()).get(2))
        .contains("in NaiveBB Spark reads its input from the origin itself");
  }
}
