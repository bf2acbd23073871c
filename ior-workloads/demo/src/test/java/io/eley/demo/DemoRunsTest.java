package io.eley.demo;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.error.EleyException;
import io.eley.laboratory.Progress;
import io.eley.laboratory.RunProtocol;
import io.eley.laboratory.Steps;
import io.eley.laboratory.Subject;
import io.eley.local.deployment.Teardown;
import io.eley.report.PhaseRecord;
import io.eley.report.RunRecord;
import io.eley.workloads.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoRunsTest {
  @TempDir Path root;
  @TempDir private Path logs;
  private FakeLaboratory laboratory;
  private final FakeClock clock = new FakeClock();
  private final List<String> steps = new ArrayList<>();
  private final List<String> stories = new ArrayList<>();

  @BeforeEach
  void open() {
    laboratory = new FakeLaboratory(clock, root);
  }

  @AfterEach
  void nothingIsLeftBehindWhateverHappened() {
    assertThat(laboratory.open()).isEmpty();
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void everyWorkloadIsRunAloneAndInTheThreeSystems() throws EleyException {
    var records = runs(Workload.WORD_COUNT, Workload.SORT);

    assertThat(records)
        .extracting(r -> r.workload() + " " + r.mode())
        .containsExactly(
            "WordCount HPCAlone",
            "WordCount NaiveBB",
            "WordCount NoAction",
            "WordCount FullDelay",
            "Sort HPCAlone",
            "Sort NaiveBB",
            "Sort NoAction",
            "Sort FullDelay");
    assertThat(steps).hasSize(8).first().isEqualTo("1/8 WordCount: the HPC application alone");
  }

  @Test
  void everythingIsRepeatedAloneIncluded() throws EleyException {
    var records = repeated(3, Workload.WORD_COUNT);

    assertThat(records)
        .extracting(r -> r.repetition() + " " + r.mode())
        .startsWith("1 HPCAlone", "1 NaiveBB", "1 NoAction", "1 FullDelay", "2 HPCAlone")
        .endsWith("3 FullDelay")
        .hasSize(12);
    assertThat(steps.get(5))
        .isEqualTo(
            "6/12 WordCount, repetition 2 of 3: NaiveBB, Spark reads the file system itself");
  }

  @Test
  void whoeverLooksOnSeesTheStory() throws EleyException {
    runs(Workload.WORD_COUNT);

    assertThat(stories)
        .contains("nodes start", "Spark starts", "Spark is warm", "Spark reduces")
        .anyMatch(story -> story.matches("nobody else, HPC phase 1, ours 0, HPC 2\\d MiB/s"))
        .anyMatch(story -> story.matches("map \\d+ %, HPC phase 2, ours \\d+, HPC \\d+ MiB/s"))
        .anyMatch(story -> story.matches("map \\d+ %, HPC pause, ours \\d+, HPC 0 MiB/s"));
  }

  @Test
  void aRunsRecordIsWhatWasObserved() throws EleyException {
    var record = runs(Workload.WORD_COUNT).get(3);

    assertThat(record.mapSeconds()).isCloseTo(20, within(1e-9));
    assertThat(record.totalSeconds()).isCloseTo(22, within(1e-9));
    assertThat(record.hitRatio()).isCloseTo(0.8, within(1e-9));
    assertThat(record.countedPhases()).hasSizeGreaterThanOrEqualTo(3);
    assertThat(record.phases()).allSatisfy(p -> assertThat(p.seconds()).isEqualTo(2.0));
    assertThat(record.phases()).extracting(PhaseRecord::aloneSeconds).containsOnly(2.0);
    // The fake Spark reads on through phases: 1 MiB every 50 ms, and the record says so.
    assertThat(record.phases().get(0).ourBytes()).isCloseTo(40L << 20, within(1L << 20));
    assertThat(record.holdLatencyMillis()).isNotEmpty().allMatch(hold -> hold > 1900);
    assertThat(record.origin()).containsOnlyKeys("PREFETCH");
    assertThat(
            requireNonNull(record.timeline().ours().get("PREFETCH")).stream()
                .mapToLong(b -> b)
                .sum())
        .isEqualTo(record.origin().get("PREFETCH"));
  }

  /** Counters that nobody reads while Spark warms up have grown by all of it when one does. */
  @Test
  void whatWasMovedWhileWarmingUpIsNotTheRunsHoweverLateItIsTold() throws EleyException {
    laboratory.tellsAfterwards = true;

    var record = runs(Workload.WORD_COUNT).get(3);

    // 1 MiB every 50 ms for 20 s.
    assertThat(record.origin()).containsOnlyKeys("PREFETCH");
    assertThat(record.origin().get("PREFETCH")).isCloseTo(400L << 20, within(1L << 20));
  }

  @Test
  void withoutABufferNothingIsAHit() throws EleyException {
    var record = runs(Workload.WORD_COUNT).get(1);

    assertThat(record.hitRatio()).isZero();
    assertThat(record.holdLatencyMillis()).isEmpty();
    assertThat(record.origin()).containsOnlyKeys("DIRECT");
  }

  @Test
  void theHpcApplicationStartsAfterSparkAndIsEndedInAPause() throws EleyException {
    runs(Workload.WORD_COUNT);

    assertThat(laboratory.journal).doesNotContain("in phase");
    assertThat(laboratory.journal.subList(3, 7))
        .containsExactly("start deployment", "start spark", "start hpc", "in pause");
  }

  @Test
  void whatWasStartedLastIsEndedFirst() throws EleyException {
    runs(Workload.WORD_COUNT);

    assertThat(laboratory.journal.stream().filter(l -> l.startsWith("close")).toList())
        .startsWith("close hpc", "close hpc", "close spark", "close deployment");
  }

  @Test
  void anApplicationThatFailsFailsTheExperimentWithItsWords() {
    laboratory.sparkFailure = "the Spark application failed: out of memory";

    assertThatThrownBy(() -> runs(Workload.WORD_COUNT))
        .isInstanceOf(EleyException.class)
        .hasMessageContaining("out of memory");
  }

  @Test
  void anApplicationThatFailsLeavesItsLogAndTheErrorNamesIt() {
    laboratory.sparkFailure = "out of memory";
    Path log = logs.resolve("WordCount-NaiveBB/spark/driver.log");

    assertThatThrownBy(() -> runs(Workload.WORD_COUNT)).hasMessage("out of memory, see " + log);
    assertThat(log).hasContent("the driver's words");
  }

  @Test
  void aRunThatDoesNotFailLeavesNoLogs() throws EleyException {
    runs(Workload.WORD_COUNT);

    assertThat(logs).isEmptyDirectory();
  }

  @Test
  void anHpcApplicationThatDiesFailsTheExperimentWithItsWords() {
    laboratory.hpcDiesAfter = 7;

    assertThatThrownBy(() -> runs(Workload.WORD_COUNT))
        .isInstanceOf(EleyException.class)
        .hasMessageContaining("ended too early")
        .hasMessageContaining("disk on fire");
  }

  @Test
  void anHpcApplicationThatDiesBesideSparkFailsTheExperiment() {
    laboratory.hpcDiesAfter = 17;

    assertThatThrownBy(() -> runs(Workload.WORD_COUNT)).hasMessageContaining("disk on fire");
    assertThat(laboratory.journal).contains("start spark");
  }

  @Test
  void aDeploymentThatDoesNotComeUpFailsTheExperiment() {
    laboratory.launchFails = true;

    assertThatThrownBy(() -> runs(Workload.WORD_COUNT)).hasMessage("no node came up");
    assertThat(laboratory.journal).doesNotContain("start spark");
    assertThat(logs.resolve("WordCount-NaiveBB/deployment/logs/node-1.log"))
        .hasContent("no RAM-disk");
  }

  @Test
  void differentResultsAreAnErrorAndNoReport() {
    laboratory.wrongInFullDelay = true;

    assertThatThrownBy(() -> runs(Workload.WORD_COUNT))
        .isInstanceOf(EleyException.class)
        .hasMessage("WRONG RESULT: WordCount in FullDelay gave other, but d1 in NaiveBB");
  }

  @Test
  void anApplicationThatNeverReadsIsGivenUp() {
    laboratory.sparkNeverReadsUntil = 1e6;

    assertThatThrownBy(() -> runs(Workload.WORD_COUNT))
        .hasMessageContaining("has not read from the origin after 120 s");
  }

  @Test
  void aRunThatIsLargerThanUsualMayTakeLonger() throws EleyException {
    laboratory.mapSeconds = 660;
    var subject = Subject.of(BufferMode.NO_ACTION);

    assertThatThrownBy(() -> runs(Workload.WORD_COUNT))
        .hasMessageContaining("the run has not ended after 600 s");
    var longer = new RunProtocol(laboratory, laboratory::launch, 2, clock, Duration.ofSeconds(670));
    try (var teardown = Teardown.detached()) {
      var run = longer.run(Workload.WORD_COUNT, subject, logs, teardown, sight -> {});
      assertThat(run.toRecord(2).mapSeconds()).isCloseTo(660, within(1e-9));
    }
  }

  @Test
  void aWitnessThatForgotPartOfARunIsNotBelieved() {
    laboratory.traceForgets = 30;

    assertThatThrownBy(() -> runs(Workload.WORD_COUNT)).hasMessageContaining("trace limit");
  }

  private List<RunRecord> runs(Workload... workloads) throws EleyException {
    return repeated(1, workloads);
  }

  private List<RunRecord> repeated(int repetitions, Workload... workloads) throws EleyException {
    var list = List.of(workloads);
    var protocol = new RunProtocol(laboratory, laboratory::launch, 2, clock);
    var numbered = new Steps(new Recorder(), DemoRuns.plan(list, repetitions));
    try (var teardown = Teardown.detached()) {
      return new DemoRuns(protocol, list, 2, logs, numbered).all(repetitions, teardown);
    }
  }

  private final class Recorder implements Progress {
    @Override
    public void step(int number, int of, String title) {
      steps.add(number + "/" + of + " " + title);
    }

    @Override
    public void advanced(double done, String detail) {
      assertThat(done).isBetween(0.0, 1.0);
      stories.add(detail);
    }

    @Override
    public void note(String line) {
      assertThat(line).isNotBlank();
    }
  }
}
