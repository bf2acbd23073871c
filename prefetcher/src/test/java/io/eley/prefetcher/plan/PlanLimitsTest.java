package io.eley.prefetcher.plan;

import static io.eley.prefetcher.plan.Plans.file;
import static io.eley.prefetcher.plan.Plans.versions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.ByteRange;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What one application can make the coordinator keep, and what is left for others. */
class PlanLimitsTest {
  private static final long LIMIT = 1 << 20;
  private static final StageId GREEDY = new StageId("greedy", 0, 0);
  private static final StageId HONEST = new StageId("honest", 0, 0);
  private static final FileVersion FILE = file("/f", 1000);

  private final WavePlanner planner =
      new WavePlanner(
          Plans.options(1, 0).withLimits(PlanLimits.ofApplication(LIMIT)), Plans.view(1));

  private static List<Split> splits(int from, int count) {
    return IntStream.range(from, from + count)
        .mapToObj(
            i ->
                new Split(
                    i, List.of(new FileSlice("/f", new ByteRange((long) (i % 1000) * 4096, 4096)))))
        .toList();
  }

  private int planned(String application) {
    return planner.figures(application).orElseThrow().plannedSplits();
  }

  @Test
  void splitsBeyondTheLimitAreRefusedTheFirstStayPlannedAndOthersGoOn() {
    assertThat(planner.startApplication("greedy")).isTrue();
    assertThat(planner.startApplication("honest")).isTrue();
    boolean all = true;
    for (int i = 0; i < 2_000_000; i += 2000) {
      all = planner.addSplits(GREEDY, splits(i, 2000), versions(FILE));
    }
    assertThat(all).isFalse();
    assertThat(planned("greedy")).isBetween(1000, 3000);
    assertThat(planner.addSplits(HONEST, splits(0, 1000), versions(FILE))).isTrue();
    assertThat(planned("honest")).isEqualTo(1000);
  }

  @Test
  void aPlanTakesWhatItsPartsTake() {
    var slice = new FileSlice("/ten/chars", new ByteRange(0, 1));
    assertThat(PlanSize.of(new Split(0, List.of(slice, slice)), 3))
        .isEqualTo(160 + 3 * 64 + 2 * (192 + 40 + 10));
  }

  @Test
  void aLimitIsPositiveAndThatOfAllIsNotSmaller() {
    assertThat(new PlanLimits(1, 1).all()).isEqualTo(1);
    assertThatThrownBy(() -> new PlanLimits(0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PlanLimits(2, 1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void allApplicationsHaveHalfAsMuchAgainAsOne() {
    assertThat(PlanLimits.ofApplication(1000)).isEqualTo(new PlanLimits(1000, 1500));
    assertThat(PlanLimits.ofApplication(1)).isEqualTo(new PlanLimits(1, 1));
    long third = Long.MAX_VALUE / 3;
    assertThat(PlanLimits.ofApplication(2 * third).all()).isEqualTo(3 * third);
    assertThat(PlanLimits.ofApplication(2 * third + 2).all()).isEqualTo(Long.MAX_VALUE);
  }

  /** What is planned is never more than the limit, and not a split less than fits. */
  @Test
  void theLimitIsKeptToTheByte() {
    var split = splits(0, 1).get(0);
    long room = PlanSize.APPLICATION + PlanSize.STAGE + PlanSize.of(split, 1);
    for (int missing = 0; missing < 2; missing++) {
      WavePlanner small = limited(room - missing);
      assertThat(small.addSplits(GREEDY, List.of(split), versions(FILE))).isEqualTo(missing == 0);
    }
    WavePlanner one = limited(room + PlanSize.ENDED - 1);
    one.addSplits(GREEDY, List.of(split), versions(FILE));
    one.endTasks(GREEDY, List.of(5, 0));
    assertThat(one.addSplits(GREEDY, splits(5, 1), versions(FILE))).isFalse();
    assertThat(endedSplits(one)).as("an end of what is planned takes no room").isOne();
    WavePlanner early = limited(room + PlanSize.STAGE + PlanSize.ENDED);
    early.endTasks(GREEDY, List.of(0));
    assertThat(early.addSplits(GREEDY, List.of(split), versions(FILE))).isTrue();
    assertThat(endedSplits(early)).isOne();
  }

  private static WavePlanner limited(long bytes) {
    var limits = PlanLimits.ofApplication(bytes);
    var planner = new WavePlanner(Plans.options(1, 0).withLimits(limits), Plans.view(1));
    planner.startApplication("greedy");
    return planner;
  }

  private static int endedSplits(WavePlanner planner) {
    return planner.figures("greedy").orElseThrow().endedSplits();
  }

  /** Else those that have ended stay in the window, and nothing is fetched for those that run. */
  @Test
  void theWindowOfAFullPlanGoesOn() {
    long ten = 10 * PlanSize.of(splits(0, 1).get(0), 1);
    WavePlanner full = limited(PlanSize.APPLICATION + PlanSize.STAGE + ten);
    full.addNode(Plans.view(1).nodes().get(0).id(), Long.MAX_VALUE / 2);
    full.setWaveSize("greedy", 2);
    assertThat(full.addSplits(GREEDY, splits(0, 30), versions(file("/f", 1000)))).isFalse();
    for (int task = 0; task < 8; task++) {
      full.endTasks(GREEDY, List.of(task));
    }
    assertThat(endedSplits(full)).isEqualTo(8);
    assertThat(full.figures("greedy").orElseThrow().plannedSplits()).isEqualTo(10);
  }

  /** A stage of any size slides through: each part is offered again when tasks have ended. */
  @Test
  void whatWasRefusedFitsWhenTasksHaveEnded() {
    long ten = 10 * PlanSize.of(splits(0, 1).get(0), 1);
    WavePlanner full = limited(PlanSize.APPLICATION + 2 * PlanSize.STAGE + ten);
    int offers = 0;
    for (int next = 0; next < 1000; ) {
      offers++;
      if (full.addSplits(GREEDY, splits(next, 5), versions(FILE))) {
        next += 5;
      } else {
        int ended = full.figures("greedy").orElseThrow().endedSplits();
        full.endTasks(GREEDY, List.of(ended, ended + 1, ended + 2, ended + 3, ended + 4));
      }
    }
    assertThat(offers).isLessThan(500);
    assertThat(full.figures("greedy").orElseThrow().plannedSplits()).isEqualTo(1000);
  }

  /** Else they would be read for nobody, and the window would stand at them. */
  @Test
  void whatHadEndedBeforeItsSplitWasAddedStaysEndedWhereRoomIsShort() {
    WavePlanner full = limited(64 << 10);
    full.endTasks(GREEDY, IntStream.range(0, 400).boxed().toList());
    for (int next = 0; next < 400; next += 50) {
      assertThat(full.addSplits(GREEDY, splits(next, 50), versions(FILE))).isTrue();
      assertThat(endedSplits(full)).isEqualTo(next + 50);
    }
    assertThat(full.figures("greedy").orElseThrow().plannedSplits()).isEqualTo(400);
  }

  @Test
  void thePlansOfOthersKeepNoEndFromBeingNoted() {
    var limits = new PlanLimits(LIMIT, LIMIT);
    var planner = new WavePlanner(Plans.options(1, 0).withLimits(limits), Plans.view(1));
    planner.startApplication("honest");
    planner.startApplication("greedy");
    assertThat(planner.addSplits(HONEST, splits(0, 500), versions(FILE))).isTrue();
    assertThat(planner.addSplits(GREEDY, splits(0, 50_000), versions(FILE))).isFalse();
    planner.endTasks(HONEST, IntStream.range(0, 400).boxed().toList());
    assertThat(planner.figures("honest").orElseThrow().endedSplits()).isEqualTo(400);
  }

  @Test
  void anApplicationStartsWhenThereIsRoomForItToTheByte() {
    for (int missing = 0; missing < 2; missing++) {
      var limits = new PlanLimits(1, 2 * PlanSize.APPLICATION - missing);
      var small = new WavePlanner(Plans.options(1, 0).withLimits(limits), Plans.view(1));
      assertThat(small.startApplication("a")).isTrue();
      assertThat(small.startApplication("b")).isEqualTo(missing == 0);
    }
  }

  @Test
  void aStageThatEndsGivesItsRoomBack() {
    planner.startApplication("greedy");
    assertThat(planner.addSplits(GREEDY, splits(0, 50_000), versions(FILE))).isFalse();
    var next = new StageId("greedy", 1, 0);
    assertThat(planner.addSplits(next, splits(0, 500), versions(FILE))).isFalse();
    planner.endStage(GREEDY);
    assertThat(planner.addSplits(next, splits(0, 500), versions(FILE))).isTrue();
  }

  @Test
  void anApplicationOfAnyNumberOfStagesIsPlannedToItsEnd() {
    planner.startApplication("honest");
    for (int i = 0; i < 20_000; i++) {
      var stage = new StageId("honest", i, 0);
      assertThat(planner.addSplits(stage, splits(0, 1), versions(FILE))).as("%s", stage).isTrue();
      planner.endStage(stage);
      planner.addSplits(stage, splits(1, 1), versions(FILE));
      assertThat(planned("honest")).as("what comes late").isZero();
    }
  }

  @Test
  void onlyWhatTheFileHoldsCountsAndOneSplitCannotBeTheWholeHeap() {
    planner.startApplication("greedy");
    var endless = new Split(0, List.of(new FileSlice("/f", new ByteRange(0, Long.MAX_VALUE))));
    assertThat(planner.addSplits(GREEDY, List.of(endless), versions(FILE))).isTrue();
    var huge = new FileVersion("/f", Long.MAX_VALUE / 2, 2);
    var other = new StageId("greedy", 1, 0);
    assertThat(planner.addSplits(other, List.of(endless), versions(huge))).isFalse();
  }

  /** A column chunk here and there: each takes a set of pages, however small it is. */
  @Test
  void thePagesOfExactSplitsCountToo() {
    var options = new PlanOptions(new BlockGeometry(1 << 30, 1 << 20), 1, 0);
    var cutter = new SplitBlocks(options);
    var file = new FileVersion("/f", 50L << 30, 1);
    var slices = new long[100];
    for (int i = 0; i < 50; i++) {
      slices[2 * i] = ((long) i << 30) + (1 << 29);
      slices[2 * i + 1] = 1;
    }
    var split = Plans.exact(0, file, slices);
    var whole = new Split(0, split.slices());
    long bits = (1L << 30) / (16 << 10) / 8;
    assertThat(cutter.bytes(split, versions(file)) - cutter.bytes(whole, versions(file)))
        .isGreaterThan(50 * bits);
    var one = Plans.exact(0, file, 0, file.length());
    assertThat(cutter.bytes(one, versions(file)))
        .as("a slice has two ends")
        .isLessThan(cutter.bytes(new Split(0, one.slices()), versions(file)) + 3 * bits);
  }

  @Test
  void stagesTasksAndApplicationsOfWhichNothingIsKnownAreBoundedToo() {
    planner.startApplication("greedy");
    for (int stage = 0; stage < 100_000; stage++) {
      var id = new StageId("greedy", stage, 0);
      planner.endTasks(id, List.of(stage));
      planner.endStage(new StageId("greedy", stage, 1));
    }
    planner.endTasks(GREEDY, IntStream.range(0, 1_000_000).boxed().toList());
    int started = 0;
    while (started < 100_000 && planner.startApplication("app-" + started)) {
      started++;
    }
    assertThat(started).isBetween(100, 1000);
    assertThat(planner.startApplication("one more")).isFalse();
    planner.endApplication("app-0");
    assertThat(planner.startApplication("one more")).isTrue();
  }
}
