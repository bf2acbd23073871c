package io.eley.scheduler.hooks.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.Split;
import io.eley.bb.api.UnderWay;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.OriginStatus;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.DeploymentReport.ApplicationReport;
import io.eley.bb.api.wire.DeploymentReport.NodeReport;
import io.eley.bb.api.wire.PlanMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Staging beside a coordinator that fetches one file a poll, or none, or forgets everything. */
@Timeout(60)
class StageInTest {
  private static final String OWN = StageIn.name();
  private static final long FILE = 1000;

  /** A coordinator by a script: each report is the next step of it. */
  private final class Coordinator implements StageIn.Coordinator {
    @Override
    public DeploymentReport report() {
      reports++;
      return Reports.of(nodes, applications);
    }

    @Override
    public void tell(PlanMessage message) {
      told.add(message);
    }
  }

  private final List<PlanMessage> told = new ArrayList<>();
  private final List<Duration> pauses = new ArrayList<>();
  private final List<StageIn.Progress> seen = new ArrayList<>();
  private List<NodeReport> nodes = List.of(Reports.node("n1", true, 0));
  private List<ApplicationReport> applications = List.of();
  private int reports;
  private Runnable step = () -> {};
  private final StageIn stageIn =
      new StageIn(
          new Coordinator(),
          OWN,
          time -> {
            if (pauses.size() > 1000) {
              throw new AssertionError("it polls for ever");
            }
            pauses.add(time);
            step.run();
          },
          seen::add);

  private static List<OriginStatus> files(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new OriginStatus("/in/part-" + i, false, FILE, 1, 0644, "", ""))
        .toList();
  }

  private void own(int splits, long window, long inRam) {
    applications = List.of(Reports.application(OWN, splits, window, inRam));
  }

  @Test
  void allFilesAreOneWaveToldInMessagesOfABoundedSize() throws EleyException {
    own(600, 600 * FILE, 600 * FILE);
    assertThat(stageIn.stage(files(600)))
        .isEqualTo(new StageIn.Staged(600 * FILE, 600 * FILE, 600));
    assertThat(told).hasSize(2 + 3);
    assertThat(told.get(0)).isEqualTo(new PlanMessage.StartApplication(OWN, "stage-in"));
    assertThat(told.get(1)).isEqualTo(new PlanMessage.WaveSize(OWN, 600));
    var stages = told.subList(2, 5).stream().map(PlanMessage.PlanStage.class::cast).toList();
    assertThat(stages).extracting(PlanMessage.PlanStage::last).containsExactly(false, false, true);
    assertThat(stages.stream().flatMap(s -> s.splits().stream()).mapToInt(Split::partition))
        .containsExactlyElementsOf(IntStream.range(0, 600).boxed().toList());
    assertThat(pauses).isEmpty();
  }

  @Test
  void itWaitsForAllSplitsToBeKnownAndAllBytesToBeThere() throws EleyException {
    own(1, FILE, FILE);
    step =
        () -> {
          switch (pauses.size()) {
            case 1 -> own(3, 3 * FILE, FILE);
            case 2 -> own(3, 3 * FILE, 2 * FILE);
            default -> own(3, 3 * FILE, 3 * FILE);
          }
        };
    assertThat(stageIn.stage(files(3)).bytesInRam()).isEqualTo(3 * FILE);
    assertThat(pauses).containsExactly(ms(200), ms(200), ms(200));
    assertThat(seen)
        .as("before each pause")
        .containsExactly(
            new StageIn.Progress(FILE, 3 * FILE, 3, false),
            new StageIn.Progress(FILE, 3 * FILE, 3, false),
            new StageIn.Progress(2 * FILE, 3 * FILE, 3, false));
  }

  /** Each an eighth of what was waited for: two minutes cost 134 looks instead of 600. */
  @Test
  void aLongStagingIsLookedAtLessOften() throws EleyException {
    own(3, 3 * FILE, FILE);
    nodes = List.of(Reports.node("n1", false, 2));
    step =
        () -> {
          if (pauses.stream().mapToLong(Duration::toMillis).sum() >= 120_000) {
            own(3, 3 * FILE, 3 * FILE);
          }
        };
    stageIn.stage(files(3));
    assertThat(pauses).startsWith(ms(200), ms(200)).endsWith(ms(1000), ms(1000));
    assertThat(pauses).isSorted().hasSizeLessThan(140);
    assertThat(seen).allMatch(StageIn.Progress::held);
  }

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }

  @Test
  void whatDoesNotFitIsGivenUpWhenNothingMovesAnyMore() throws EleyException {
    own(3, 3 * FILE, 2 * FILE);
    assertThat(stageIn.stage(files(3))).isEqualTo(new StageIn.Staged(2 * FILE, 3 * FILE, 3));
    assertThat(pauses.subList(1, pauses.size()).stream().mapToLong(Duration::toMillis).sum())
        .as("two seconds after the first look")
        .isBetween(2000L, 2300L);
  }

  @Test
  void aHoldIsNoReasonToGiveUp() throws EleyException {
    own(3, 3 * FILE, FILE);
    nodes = List.of(Reports.node("n1", true, 0), Reports.node("n2", false, 0));
    step =
        () -> {
          if (pauses.size() == 100) {
            own(3, 3 * FILE, 3 * FILE);
          }
        };
    assertThat(stageIn.stage(files(3)).bytesInRam()).isEqualTo(3 * FILE);
    assertThat(pauses).hasSize(100);
  }

  @Test
  void aSlowFileSystemIsNoReasonToGiveUp() throws EleyException {
    own(3, 3 * FILE, FILE);
    nodes = List.of(Reports.node("n1", true, 2));
    step =
        () -> {
          if (pauses.size() == 50) {
            own(3, 3 * FILE, 3 * FILE);
          }
        };
    assertThat(stageIn.stage(files(3)).bytesInRam()).isEqualTo(3 * FILE);
  }

  /** The last fetches wait for nothing, and the file system takes seconds for them. */
  @Test
  void aSlowReadUnderWayIsNoReasonToGiveUp() throws EleyException {
    own(3, 3 * FILE, FILE);
    nodes = List.of(reading());
    step =
        () -> {
          if (pauses.size() == 50) {
            own(3, 3 * FILE, 3 * FILE);
          }
        };
    assertThat(stageIn.stage(files(3)).bytesInRam()).isEqualTo(3 * FILE);
    assertThat(pauses).hasSize(50);
  }

  @Test
  void readsOfOthersAreWaitedForTwoMinutesAndNotForEver() throws EleyException {
    own(3, 3 * FILE, 2 * FILE);
    nodes = List.of(reading());
    assertThat(stageIn.stage(files(3))).isEqualTo(new StageIn.Staged(2 * FILE, 3 * FILE, 3));
    assertThat(pauses.subList(1, pauses.size()).stream().mapToLong(Duration::toMillis).sum())
        .as("after the first look")
        .isBetween(120_000L, 121_000L);
  }

  private static NodeReport reading() {
    return Reports.node("n1", true, 0, new UnderWay(FILE, FILE));
  }

  @Test
  void aBufferWithoutNodesIsSaid() {
    nodes = List.of();
    own(3, 3 * FILE, 0);
    assertThatThrownBy(() -> stageIn.stage(files(3)))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
        .hasMessage("the buffer has no nodes");
  }

  @Test
  void aCoordinatorThatWasRestartedMeanwhileIsSaid() {
    own(3, 3 * FILE, 0);
    step = () -> applications = List.of(Reports.application("other", 3, 0, 0));
    assertThatThrownBy(() -> stageIn.stage(files(3)))
        .hasMessage("the coordinator was restarted; stage in again");
    assertThat(reports).isEqualTo(2);
  }

  @Test
  void filesAreKeptUntilAnApplicationThatReadsHasAPlan() throws EleyException {
    own(3, 3 * FILE, 3 * FILE);
    step =
        () -> {
          var mine = Reports.application(OWN, 3, 3 * FILE, 3 * FILE);
          var another = Reports.application(StageIn.name(), 5, 5 * FILE, 0);
          applications =
              List.of(mine, another, Reports.application("spark", pauses.size() < 4 ? 0 : 7, 0, 0));
        };
    stageIn.keep();
    assertThat(pauses).hasSize(4).containsOnly(Duration.ofSeconds(1));
    stageIn.end();
    assertThat(told).containsExactly(new PlanMessage.EndApplication(OWN));
  }
}
