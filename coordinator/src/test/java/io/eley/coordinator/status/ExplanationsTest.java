package io.eley.coordinator.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ByteRange;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.PageSet;
import io.eley.bb.api.Permit;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.UnderWay;
import io.eley.bb.api.wire.DeploymentReport.ApplicationReport;
import io.eley.bb.api.wire.DeploymentReport.NodeReport;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.controller.loop.BufferNode;
import io.eley.controller.loop.PlanLoop;
import io.eley.controller.loop.Timeline;
import io.eley.coordinator.members.BlockHistory;
import io.eley.prefetcher.plan.PlanOptions;
import io.eley.prefetcher.plan.WavePlanner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What people are told of blocks of which tasks read a part. */
class ExplanationsTest {
  private static final BlockGeometry GEOMETRY = new BlockGeometry(1 << 20, 1 << 20);
  private static final FileVersion FILE = new FileVersion("/in", 8 << 20, 1);
  private static final NodeId NODE = new NodeId("n1");

  private final List<BlockPart> fetched = new ArrayList<>();
  private final List<NodeReport> nodes = new ArrayList<>();
  private BufferMode mode = BufferMode.FULL_DELAY;

  /** No time passes, and what is due later is due at once. */
  private static final class NoTime implements Timeline {
    @Override
    public long now() {
      return 0;
    }

    @Override
    public Instant timeOfDay() {
      return Instant.EPOCH;
    }

    @Override
    public void after(Duration delay, Runnable work) {
      work.run();
    }
  }

  private final class Node implements BufferNode {
    @Override
    public NodeId id() {
      return NODE;
    }

    @Override
    public void grant(Permit permit) {}

    @Override
    public void free(List<BlockId> blocks) {}

    @Override
    public void fetch(List<BlockPart> parts) {
      fetched.addAll(parts);
    }
  }

  /** The plan of one application, on one node. */
  private PlanLoop plans() {
    var view =
        new ClusterView(
            1, GEOMETRY, BufferMode.FULL_DELAY, List.of(new NodeAddress(NODE, "h", 1, "")));
    var plans =
        new PlanLoop(
            new WavePlanner(new PlanOptions(GEOMETRY, 1, 0), view),
            new NoTime(),
            plan -> {
              plan.run();
              return Duration.ZERO;
            },
            mode != BufferMode.NAIVE_BB);
    plans.join(new Node(), 1 << 30);
    plans.startApplication("app");
    return plans;
  }

  private Explanations explanations(PlanLoop plans) {
    return new Explanations(
        plans,
        GEOMETRY,
        () -> {
          throw new AssertionError("nothing waits for a permit");
        },
        new BlockHistory(),
        new Explanations.Reports(
            mode,
            () ->
                List.of(
                    new ApplicationReport("app", "WordCount", 8, 4 << 20, 1 << 20, 9, 2, 0),
                    new ApplicationReport("app-0", "Guarded", 8, 0, 0, 9, 2, 0),
                    new ApplicationReport("app-2", "Notebook", 8, 0, 0, 0, 0, 0)),
            () -> nodes));
  }

  private static NodeReport node(String name, NodeCounters.Held... applications) {
    var scratch =
        new NodeCounters.Scratch(0, 0, 0, 0, NodeCounters.Overflow.NONE)
            .with(List.of(applications));
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
    return new NodeReport(name, "h", 1, 0, counters);
  }

  @Test
  void ofAnApplicationItSaysWhereItsIntermediateDataIs() {
    nodes.add(node("n2", new NodeCounters.Held("app-1", 3 << 20, 0, 1, 0, 0)));
    nodes.add(
        node(
            "n1",
            new NodeCounters.Held("app-2", 9 << 20, 0, 1, 0, 0),
            new NodeCounters.Held("app-1", 1 << 20, 2 << 20, 5, 3, 7)));
    nodes.add(node("n3"));
    Explanations explanations = explanations(plans());
    assertThat(explanations.why("app-1", 0))
        .containsExactly(
            "app-1 has 6.0 MiB of intermediate data in the buffer, of 6 map tasks.",
            "on n1: of 5 map tasks, 1.0 MiB in RAM and 2.0 MiB on its disk, where 3 found no room"
                + " in RAM; it had no room for 7 outputs.",
            "on n2: of 1 map task, 3.0 MiB in RAM.",
            "What all nodes refuse stays with the executor that wrote it, and is read there.");
    assertThat(explanations.why("app-3", 0))
        .singleElement()
        .asString()
        .contains("nor an application of app, app-0, app-2");
  }

  @Test
  void ofABlockThatIsReadInPartItSaysHowMuch() {
    PlanLoop plans = plans();
    var column = new FileSlice("/in", new ByteRange(20_000, 30_000));
    var whole = new FileSlice("/in", new ByteRange(1 << 20, 1 << 20));
    plans.addSplits(
        new StageId("app", 0, 0),
        List.of(new Split(0, List.of(column), true), new Split(1, List.of(whole))),
        Map.of("/in", FILE));
    var first = new BlockPart(new BlockId(FILE, 0), PageSet.range(1, 4));
    var second = BlockPart.whole(new BlockId(FILE, 1));
    assertThat(fetched).containsExactly(first, second);
    plans.noteArrived(NODE, List.of(first.block(), second.block()));
    Explanations explanations = explanations(plans);
    assertThat(explanations.why("/in", 0))
        .contains(
            "block 0 of /in (MiB 0.0 to 1.0, 48 KiB of it) is in RAM on n1 for task 0 of stage 0.0"
                + " of app, which is next.",
            "block 1 of /in (MiB 1.0 to 2.0) is in RAM on n1 for task 1 of stage 0.0 of app, which"
                + " has 1 before it.");
  }

  @Test
  void ofAnApplicationItSaysWhetherThereIsAPlan() {
    Explanations explanations = explanations(plans());
    assertThat(explanations.why("WordCount", 0))
        .containsExactly(
            "app (WordCount) reads by a plan: 2 of 9 tasks have ended; of its window 1.0 of 4.0 MiB"
                + " are in RAM.");
    assertThat(explanations.why("Guarded", 0))
        .containsExactly(
            "app-0 (Guarded) reads by a plan: 2 of 9 tasks have ended; the others read on demand.");
    assertThat(explanations.why("app-2", 0).get(0))
        .startsWith("app-2 (Notebook) has no plan now: no stage of it that reads runs, or");
    assertThat(explanations.why("nobody", 0).get(0))
        .endsWith("nor an application of app, app-0, app-2");
  }

  @Test
  void whereNothingIsPrefetchedItPromisesNothing() {
    mode = BufferMode.NAIVE_BB;
    PlanLoop plans = plans();
    var whole = new FileSlice("/in", new ByteRange(0, 1 << 20));
    var stage = new StageId("app", 0, 0);
    plans.addSplits(stage, List.of(new Split(0, List.of(whole))), Map.of("/in", FILE));
    Explanations explanations = explanations(plans);
    String nothing = "this deployment prefetches nothing (NaiveBB)";
    String block = "block 0 of /in (MiB 0.0 to 1.0) is not in the buffer, for " + nothing;
    assertThat(explanations.why("/in", 0))
        .containsExactly(block + "; it is for task 0 of stage 0.0 of app, which is next.");
    plans.endTasks(stage, List.of(0));
    assertThat(explanations.why("app/0/0", 0))
        .containsExactly(block + "; 1 of 1 tasks have read it.");
    assertThat(explanations.why("WordCount", 0))
        .containsExactly("app (WordCount) reads the origin itself: " + nothing + ".");
    assertThat(fetched).isEmpty();
  }

  @Test
  void ofWhatTasksDidNotReadItSaysWhyItIsLeftToDemand() {
    PlanLoop plans = plans();
    var stage = new StageId("app", 0, 0);
    plans.makeTentative(stage);
    var splits =
        IntStream.range(0, 8)
            .mapToObj(i -> new FileSlice("/in", new ByteRange((long) i << 20, 1 << 20)))
            .toList();
    plans.addSplits(
        stage,
        IntStream.range(0, 8).mapToObj(i -> new Split(i, List.of(splits.get(i)))).toList(),
        Map.of("/in", FILE));
    Explanations explanations = explanations(plans);
    assertThat(fetched).isEmpty();
    assertThat(explanations.why("app/0/3", 0))
        .containsExactly(
            "block 3 of /in (MiB 3.0 to 4.0) is left to be read on demand by task 3 of stage 0.0"
                + " of app, which has 3 before it: its job runs some of the stage's tasks only, as"
                + " take and limit do, and none of them has read its split yet.");
    plans.noteRead(stage, 0, List.of(new FileSlice("/in", new ByteRange(0, 16 << 10))));
    assertThat(explanations.why("app/0/3", 0).get(0))
        .contains("the last 1 tasks of its stage read 1 % of what was planned for them");
    plans.noteRead(stage, 1, splits.subList(1, 2));
    assertThat(fetched).isEmpty();
  }
}
