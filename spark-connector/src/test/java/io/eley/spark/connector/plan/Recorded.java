package io.eley.spark.connector.plan;

import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.wire.PlanMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskStart;

/**
 * What the production listener says about real jobs, in the place of the sender's thread. It plans
 * nothing of a job that is over when it is told, as it should; so while this listens no task opens
 * a {@linkplain RecordingFileSystem file} before the plan of its stage is there.
 */
final class Recorded {
  private final SparkContext spark;
  private final PlanModel model;
  private final List<PlanMessage> messages = new ArrayList<>();
  private final Map<String, Integer> tasksStarted = new ConcurrentHashMap<>();
  private final ToldStages told = new ToldStages();
  private final PlanListener listener;
  private final SparkListener starts =
      new SparkListener() {
        /** Behind the plan's listener in the same queue. */
        @Override
        public void onStageSubmitted(SparkListenerStageSubmitted event) {
          told.add(event.stageInfo().stageId(), event.stageInfo().attemptNumber());
        }

        @Override
        public void onTaskStart(SparkListenerTaskStart event) {
          tasksStarted.merge(event.stageId() + "/" + event.stageAttemptId(), 1, Integer::sum);
        }
      };

  Recorded(SparkContext spark) {
    this.spark = spark;
    model = new PlanModel(spark.applicationId(), spark.appName());
    var waves = new WaveTracker(1);
    listener =
        new PlanListener(
            spark,
            change -> messages.addAll(change.apply(model)),
            path -> java.util.Optional.of(path.toUri().getPath()),
            waves,
            new Footers(
                new FooterReader(spark.hadoopConfiguration())::read,
                Runnable::run,
                java.time.Duration.ofSeconds(10)));
    RecordingFileSystem.openOnlyFor(told);
    spark.addSparkListener(listener);
    spark.addSparkListener(starts);
  }

  /** Waits until Spark's bus has told everything of the jobs that are over, and stops listening. */
  List<PlanMessage> messages() throws Exception {
    spark.listenerBus().waitUntilEmpty();
    spark.removeSparkListener(listener);
    spark.removeSparkListener(starts);
    RecordingFileSystem.openForAll();
    return messages;
  }

  /** The planned stages, in the order of their planning. */
  Map<StageId, List<Split>> stages() throws Exception {
    var stages = new LinkedHashMap<StageId, List<Split>>();
    for (PlanMessage message : messages()) {
      if (message instanceof PlanMessage.PlanStage plan) {
        stages.computeIfAbsent(plan.stage(), s -> new ArrayList<>()).addAll(plan.splits());
      }
    }
    return stages;
  }

  /** Tasks that Spark started for a stage. */
  int tasksOf(StageId stage) {
    return tasksStarted.getOrDefault(stage.stage() + "/" + stage.attempt(), 0);
  }
}
