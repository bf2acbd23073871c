package io.eley.workloads;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.storage.RDDInfo;
import scala.collection.Seq;

/**
 * Measures the map phase from inside the application: first task launch to last task end over all
 * stages that read the input, that is, whose RDDs include the input's. Times are Spark's own, in
 * milliseconds since the epoch.
 *
 * <p>Called on Spark's listener thread; read it after the context has stopped, which waits for all
 * events to be delivered.
 */
final class MapPhaseListener extends SparkListener {
  /** A task of the map phase. */
  record Task(long launchMillis, long finishMillis, String host) {}

  private final int inputRdd;
  private final Set<Integer> inputStages = new HashSet<>();
  private final List<Task> tasks = new ArrayList<>();
  private int stageTasks;
  private long beginMillis = Long.MAX_VALUE;
  private long endMillis = Long.MIN_VALUE;
  private long readBytes;

  /**
   * @param inputRdd id of the RDD that reads the input
   */
  MapPhaseListener(int inputRdd) {
    this.inputRdd = inputRdd;
  }

  @Override
  public synchronized void onStageSubmitted(SparkListenerStageSubmitted event) {
    var stage = event.stageInfo();
    if (readsInput(stage) && inputStages.add(stage.stageId())) {
      stageTasks += stage.numTasks();
    }
  }

  /** By the method's name: its return type is another Seq in Scala 2.12. */
  private boolean readsInput(StageInfo stage) {
    try {
      var rdds = (Seq<?>) StageInfo.class.getMethod("rddInfos").invoke(stage);
      for (var each = rdds.iterator(); each.hasNext(); ) {
        if (((RDDInfo) each.next()).id() == inputRdd) {
          return true;
        }
      }
      return false;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Spark does not tell a stage's RDDs", e);
    }
  }

  @Override
  public synchronized void onTaskStart(SparkListenerTaskStart event) {
    if (inputStages.contains(event.stageId())) {
      beginMillis = Math.min(beginMillis, event.taskInfo().launchTime());
    }
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd event) {
    if (!inputStages.contains(event.stageId())) {
      return;
    }
    var info = event.taskInfo();
    endMillis = Math.max(endMillis, info.finishTime());
    tasks.add(new Task(info.launchTime(), info.finishTime(), info.host()));
    var metrics = event.taskMetrics();
    // Null when the executor was lost with the task.
    if (metrics != null) {
      readBytes += metrics.inputMetrics().bytesRead();
    }
    WorkloadRun.printProgress(tasks.size(), stageTasks);
  }

  synchronized long beginMillis() {
    return beginMillis;
  }

  synchronized long endMillis() {
    return endMillis;
  }

  /** Bytes as the tasks' input metrics have them; lines past a split's end included. */
  synchronized long readBytes() {
    return readBytes;
  }

  synchronized List<Task> tasks() {
    return List.copyOf(tasks);
  }
}
