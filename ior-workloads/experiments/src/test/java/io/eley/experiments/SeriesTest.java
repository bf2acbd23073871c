package io.eley.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.laboratory.PlannedStep;
import io.eley.laboratory.Progress;
import io.eley.laboratory.Steps;
import io.eley.local.deployment.Teardown;
import io.eley.report.Host;
import io.eley.report.ObservedPhase;
import io.eley.report.RunObservation;
import io.eley.report.RunRecord;
import io.eley.report.RunTimeline;
import io.eley.report.SeriesReport;
import io.eley.report.SeriesRow;
import io.eley.report.SeriesRun;
import io.eley.report.TraceAnalysis;
import io.eley.workloads.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SeriesTest {
  private static final Design DESIGN =
      NamedExperiment.FIGURE1.design().withTrials(List.of(Trial.NAIVE, Trial.NO_ACTION));

  @TempDir private Path out;
  private final List<String> runs = new ArrayList<>();
  private final Teardown teardown = Teardown.detached();

  /** Part of the names of runs that fail. */
  private String failing = "";

  private String wrong = "";
  private List<ObservedPhase> besideSort = List.of();

  /** Lengths alone, and beside each system; one phase each where there are none. */
  private List<Double> alone = List.of();

  private List<Double> beside = List.of();

  /** When runs that are to lose a node lose it; empty when they lose none. */
  private OptionalLong lostMillis = OptionalLong.empty();

  private SeriesReport all(int repetitions) throws EleyException {
    return all(DESIGN, repetitions);
  }

  private SeriesReport all(Design design, int repetitions) throws EleyException {
    var frame =
        new SeriesReport.Frame(
            "figure1",
            "d",
            Host.describe(null),
            Map.of(),
            Series.count(design, repetitions),
            runs -> PaperFigures.values(1, runs),
            design::verdicts);
    var steps =
        new Steps(
            Progress.SILENT,
            Collections.nCopies(Series.count(design, repetitions), new PlannedStep("run", 1)));
    return new Series(design, repetitions, out, frame, new Series.Lab(this::run, steps))
        .all(teardown);
  }

  /** Phases of 2 s alone; 3 s beside NaiveBB, 2.5 s beside the others; maps of 40 and 20 s. */
  private RunObservation run(
      Workload workload, @Nullable Trial trial, Path kept, Series.Scope scope)
      throws EleyException {
    String name = trial == null ? RunRecord.HPC_ALONE : trial.subject().label();
    runs.add(workload.label() + " " + name);
    scope.teardown().add(() -> runs.add("end"));
    if (!failing.isEmpty() && kept.getFileName().toString().contains(failing)) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "no node came up");
    }
    if (trial != null && trial.losesNode()) {
      lostMillis.ifPresent(scope.loss()::happened);
    }
    boolean naive = name.equals("NaiveBB");
    long seconds = trial == null ? 2_000_000 : naive ? 3_000_000 : 2_500_000;
    return new RunObservation(
        name,
        workload.label(),
        new TraceAnalysis(List.of(), e -> false),
        phases(workload, trial, seconds),
        0,
        50_000_000,
        trial == null
            ? null
            : new RunObservation.SparkFacts(
                new RunTimeline.Span(0, naive ? 40 : 20), 41, 1, 0, digest(name), List.of(), 4),
        List.of());
  }

  private List<ObservedPhase> phases(Workload workload, @Nullable Trial trial, long micros) {
    var lengths = trial == null ? alone : beside;
    if (!lengths.isEmpty()) {
      return lengths.stream()
          .map(s -> new ObservedPhase("ior", 0, 0, Math.round(s * 1e6)))
          .toList();
    }
    return trial != null && workload == Workload.SORT && !besideSort.isEmpty()
        ? besideSort
        : List.of(new ObservedPhase("ior", 0, 0, micros));
  }

  private String digest(String system) {
    return system.equals(wrong) ? "other" : "d";
  }

  @Test
  void repetitionsAreInterleavedAndEachBeginsWithARunAlone() throws EleyException {
    var report = all(2);

    assertThat(runs.stream().filter(r -> !r.equals("end")))
        .hasSize(10)
        .startsWith(
            "WordCount HPCAlone",
            "WordCount NaiveBB",
            "WordCount NoAction",
            "Sort NaiveBB",
            "Sort NoAction",
            "WordCount HPCAlone");
    assertThat(report.rows()).extracting(r -> r.runs()).containsOnly(2);
    assertThat(report.planned()).isEqualTo(10);
    assertThat(out.resolve("report.html")).exists();
    assertThat(out.resolve("figures/map-time.svg")).exists();
    assertThat(out.resolve("runs/02-WordCount-NaiveBB-1/phases.csv")).exists();
  }

  @Test
  void theHpcApplicationIsHeldAgainstItselfAloneAndSparkAgainstNaiveBb() throws EleyException {
    var row =
        all(1).rows().stream()
            .filter(r -> r.workload().equals("Sort") && r.system().equals("NoAction"))
            .findFirst()
            .orElseThrow();

    assertThat(row.earlyPercent()).isEqualTo(25.0);
    assertThat(row.againstNaive()).isEqualTo(0.5);
  }

  @Test
  void oneSlowPhaseAloneDoesNotHideWhatTheOthersSuffer() throws EleyException {
    alone = List.of(1.0, 1.0, 1.0, 1.0, 2.0);
    beside = List.of(1.04, 1.04, 1.04, 1.04, 1.04);

    assertThat(all(1).rows())
        .filteredOn(row -> row.system().equals("NoAction"))
        .isNotEmpty()
        .allSatisfy(
            row -> {
              assertThat(row.earlyPercent()).isCloseTo(4, within(1e-9));
              assertThat(row.laterPercent()).isCloseTo(4, within(1e-9));
            });
  }

  @Test
  void thePapersValuesStandBesideOurs() throws EleyException {
    var paper = all(1).paper();

    assertThat(paper.get(0).paper()).isEqualTo("-61");
    assertThat(paper.get(0).ours()).isEqualTo(-50.0);
    assertThat(paper).filteredOn(p -> p.what().contains("against beside")).hasSize(2);
  }

  @Test
  void aRunThatFailsIsReportedAndTheOthersGoOn() throws EleyException {
    failing = "NaiveBB";

    var report = all(1);

    assertThat(report.failures())
        .containsExactly(
            "runs/02-WordCount-NaiveBB-1: no node came up",
            "runs/04-Sort-NaiveBB-1: no node came up");
    assertThat(report.runs()).hasSize(3);
    assertThat(runs.stream().filter("end"::equals)).hasSize(5);
  }

  @Test
  void aRunWithAnotherResultIsAFailureAndInNoRow() throws EleyException {
    wrong = "NoAction";

    var report = all(1);

    assertThat(report.failures())
        .containsExactly(
            "runs/03-WordCount-NoAction-1: WRONG RESULT: WordCount in NoAction gave other, but d in"
                + " NaiveBB",
            "runs/05-Sort-NoAction-1: WRONG RESULT: Sort in NoAction gave other, but d in NaiveBB");
    assertThat(report.rows()).extracting(r -> r.system()).doesNotContain("NoAction");
    assertThat(out.resolve("runs/03-WordCount-NoAction-1/phases.csv")).exists();
  }

  /** A deployment that saw no phase writes no ledger. */
  @Test
  void whatAnEarlierExperimentLeftIsNotThisOnes() throws Exception {
    Path there = Files.createDirectories(out.resolve("runs/02-WordCount-NaiveBB-1"));
    Files.writeString(
        there.resolve("ledger.csv"),
        """
        application,source,began,seconds,ending
        somebody,reads,1970-01-01T00:00:03.500Z,5.25,QUIET
        """);
    Path others = Files.writeString(out.resolve("runs/notes.txt"), "kept");

    var report = all(1);

    assertThat(report.runs()).hasSize(5).allMatch(run -> run.ledger().isEmpty());
    assertThat(there.resolve("ledger.csv")).doesNotExist();
    assertThat(there.resolve("phases.csv")).exists();
    assertThat(others).hasContent("kept");
  }

  /** Such as one whose IOR came when Spark had read everything: its map time is Spark's alone. */
  @Test
  void aRunWithoutAPhaseInItsMapPhaseIsAFailure() throws EleyException {
    besideSort = List.of(new ObservedPhase("ior", 45_000_000, 45_000_000, 48_000_000));

    var report = all(1);

    assertThat(report.failures())
        .containsExactly(
            "runs/04-Sort-NaiveBB-1: no HPC phase fell into the map phase: nothing is compared",
            "runs/05-Sort-NoAction-1: no HPC phase fell into the map phase: nothing is compared");
    assertThat(report.rows()).extracting(r -> r.workload()).containsOnly("WordCount");
    assertThat(out.resolve("runs/04-Sort-NaiveBB-1/phases.csv")).exists();
  }

  /** Such as one of a single phase, or whose map phase was over before the second one. */
  @Test
  void aRunThatKeptItsNodeInTheMapPhaseIsAFailureAndInNoRow() throws EleyException {
    var design = NamedExperiment.NODE_LOSS.design();

    var kept = all(design, 1);
    lostMillis = OptionalLong.of(20_001);
    var lostAfterwards = all(design, 1);
    lostMillis = OptionalLong.of(19_999);
    var lost = all(design, 1);

    assertThat(List.of(kept, lostAfterwards))
        .allSatisfy(
            report -> {
              assertThat(report.failures())
                  .containsExactly(
                      "runs/04-WordCount-FullDelay-announced-node-lost-1: no node was lost in the"
                          + " map phase: nothing is compared");
              assertThat(report.rows())
                  .extracting(SeriesRow::system)
                  .containsExactly("HPCAlone", "NaiveBB", "FullDelay/announced");
            });
    assertThat(lost.failures()).isEmpty();
    assertThat(lost.rows()).extracting(SeriesRow::system).contains("FullDelay/announced/node-lost");
  }

  @Test
  void withoutARunAloneThereIsNothingToHoldTheOthersAgainst() throws EleyException {
    failing = RunRecord.HPC_ALONE;

    assertThat(all(1).failures()).hasSize(5).last().asString().contains("no run alone");
    assertThat(runs).containsExactly("WordCount HPCAlone", "end");
  }

  @Test
  void aRepetitionWithoutItsRunAloneIsNotHeldAgainstAnothersRunAlone() throws EleyException {
    failing = RunRecord.HPC_ALONE + "-2";

    var report = all(2);

    assertThat(report.runs()).hasSize(5).extracting(SeriesRun::repetition).containsOnly(1);
    assertThat(report.failures()).hasSize(5);
    assertThat(report.failures().subList(1, 5)).allMatch(line -> line.contains("no run alone"));
  }

  @Test
  void anEndIsNoFailureOfARun() {
    teardown.close();

    assertThatThrownBy(() -> all(1)).isInstanceOf(EleyException.class);
    assertThat(runs).isEmpty();
  }
}
