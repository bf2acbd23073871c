package io.eley.spark.connector.plan;

import io.eley.bb.api.StageId;
import io.eley.bb.api.wire.PlanMessage;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.apache.spark.Resubmitted$;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.Success$;
import org.apache.spark.rdd.RDD;
import org.apache.spark.scheduler.ResultStage;
import org.apache.spark.scheduler.ShuffleMapStage;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.Stage;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;

/**
 * Listens to Spark's scheduler and posts the events that change the plan. Called on Spark's
 * listener bus, where it does no work: walking RDDs and reporting happen on the sender's thread,
 * and footers of columnar files are read on threads of their own.
 */
final class PlanListener extends SparkListener {
  private final SparkContext spark;
  private final Consumer<Function<PlanModel, List<PlanMessage>>> sender;
  private final SplitWalk walk;
  private final WaveTracker waves;
  private final TaskRanges ranges;

  /**
   * A listener.
   *
   * @param sender takes each change of the model; must not block
   * @param served origin path of a file that Eley serves
   * @param footers of columnar files
   */
  PlanListener(
      SparkContext spark,
      Consumer<Function<PlanModel, List<PlanMessage>>> sender,
      Function<Path, Optional<String>> served,
      WaveTracker waves,
      Footers footers) {
    this.spark = spark;
    this.sender = sender;
    walk = new SplitWalk(PlanListener::held, served);
    this.waves = waves;
    ranges = new TaskRanges(footers);
  }

  @Override
  public void onExecutorAdded(SparkListenerExecutorAdded event) {
    reportWaveSize();
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved event) {
    reportWaveSize();
  }

  /** Posts how many tasks can run at once now. */
  void reportWaveSize() {
    sender.accept(model -> model.setWaveSize(waves.waveSize()));
  }

  @Override
  public void onStageSubmitted(SparkListenerStageSubmitted event) {
    StageInfo info = event.stageInfo();
    sender.accept(model -> planned(model, info));
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd event) {
    StageId stage = new StageId(spark.applicationId(), event.stageId(), event.stageAttemptId());
    int partition = event.taskInfo().partitionId();
    if (event.reason() == Success$.MODULE$) {
      sender.accept(new PlanQueue.TaskEnd(stage, partition));
    } else if (event.reason() == Resubmitted$.MODULE$) {
      // Its executor is gone, and with it the map output: it runs again in the same attempt.
      sender.accept(new PlanQueue.TaskAgain(stage, partition));
    }
  }

  @Override
  public void onStageCompleted(SparkListenerStageCompleted event) {
    StageId stage = id(event.stageInfo());
    sender.accept(model -> model.endStage(stage));
  }

  private List<PlanMessage> planned(PlanModel model, StageInfo info) {
    var scheduler = spark.dagScheduler();
    if (scheduler == null) { // Spark stops: this comes later than some of what waits here
      return List.of();
    }
    var found = scheduler.stageIdToStage().get(info.stageId());
    if (found.isEmpty()) {
      return List.of();
    }
    Stage stage = found.get();
    if (stage instanceof ShuffleMapStage map && map.isAvailable()) {
      return List.of();
    }
    List<TaskInput> inputs = walk.inputs(stage.rdd(), partitions(stage, info.numTasks()));
    StageId id = id(info);
    boolean columnar = inputs.stream().anyMatch(TaskInput::mayBeColumnar);
    var messages = new ArrayList<PlanMessage>();
    var growing = new GrowingStage(id, inputs, ranges, sender);
    if (columnar) {
      model.openStage(id, growing::seek);
    } else {
      messages.addAll(model.addStage(id, inputs.stream().map(TaskInput::whole).toList()));
    }
    // The same object as Spark's scheduler has, which notes the end there before it tells of it.
    model.endWhen(id, () -> info.completionTime().isDefined());
    if (mayStopEarly(stage)) {
      messages.addAll(0, model.makeTentative(id));
    }
    if (columnar) {
      growing.seek(model);
    }
    return messages;
  }

  /** Spark's take, limit, show, and first run a job over some partitions, then over more. */
  private static boolean mayStopEarly(Stage stage) {
    return stage instanceof ResultStage result
        && result.partitions().length < stage.rdd().partitions().length;
  }

  private StageId id(StageInfo info) {
    return new StageId(spark.applicationId(), info.stageId(), info.attemptNumber());
  }

  /**
   * Those that have tasks. Of a stage that is tried again, and of a shuffle whose outputs are there
   * but for some that were lost, these are the missing ones; a stage is not asked for them when all
   * are to be made, since by now the first may have been.
   */
  private static int[] partitions(Stage stage, int tasks) {
    IntStream wanted =
        tasks < stage.numTasks() ? missing(stage) : IntStream.range(0, stage.numTasks());
    // A job over some of an RDD's partitions counts these from 0.
    return (stage instanceof ResultStage result ? wanted.map(p -> result.partitions()[p]) : wanted)
        .sorted()
        .toArray();
  }

  private static IntStream missing(Stage stage) {
    try {
      return ScalaMethods.missing(stage).stream().mapToInt(p -> (Integer) p);
    } catch (NoSuchElementException e) {
      return IntStream.empty(); // a result stage whose job is over by now, maybe in this moment
    }
  }

  private static BitSet held(RDD<?> rdd) {
    var held = new BitSet();
    if (!rdd.getStorageLevel().equals(StorageLevel.NONE())) {
      BlockId[] blocks =
          IntStream.range(0, rdd.getNumPartitions())
              .mapToObj(partition -> new RDDBlockId(rdd.id(), partition))
              .toArray(BlockId[]::new);
      var places = ScalaMethods.locations(SparkEnv.get().blockManager().master(), blocks);
      IntStream.range(0, blocks.length).filter(p -> !places.get(p).isEmpty()).forEach(held::set);
    }
    return held;
  }
}
