package io.eley.spark.connector.plan;

import io.eley.bb.api.FileSlice;
import io.eley.bb.api.StageId;
import io.eley.bb.api.wire.PlanMessage;
import io.eley.spark.connector.fs.ReadObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;

/**
 * What the tasks of this executor read through us. A stream belongs to the task on whose thread it
 * is opened; Spark's Python workers are fed by threads that know their task, too. At the end of a
 * task that has not failed what it read is reported.
 *
 * <p>Safe for several threads.
 */
final class ReadReporter implements Function<String, ReadObserver> {
  /** A task that reads more files than a report can name is not reported. */
  private static final int REPORT_BYTES = 512 << 10;

  private final Supplier<String> application;
  private final Consumer<PlanMessage.TaskRead> report;
  private final Map<Long, Map<String, ReadRanges>> running = new ConcurrentHashMap<>();

  /**
   * For one executor.
   *
   * @param application its id, which is asked for when a task ends: in a local master it is not
   *     known before
   * @param report takes what a task has read, on the task's thread; must not block
   */
  ReadReporter(Supplier<String> application, Consumer<PlanMessage.TaskRead> report) {
    this.application = application;
    this.report = report;
  }

  /** Begins with a task; on its thread, before it opens any file. */
  void begin(TaskContext task) {
    running.put(task.taskAttemptId(), new ConcurrentHashMap<>());
    // Listeners are called in reverse order, so the task's readers are closed when this one is.
    TaskCompletionListener end = this::end;
    task.addTaskCompletionListener(end);
  }

  private void end(TaskContext task) {
    Map<String, ReadRanges> files = running.remove(task.taskAttemptId());
    if (files == null || task.isFailed() || task.isInterrupted()) {
      return;
    }
    var slices = new ArrayList<FileSlice>();
    files.forEach((path, ranges) -> ranges.all().forEach(r -> slices.add(new FileSlice(path, r))));
    long waited = files.values().stream().mapToLong(ReadRanges::waitedNanos).sum();
    if (bytes(slices) <= REPORT_BYTES) {
      var stage = new StageId(application.get(), task.stageId(), task.stageAttemptNumber());
      report.accept(new PlanMessage.TaskRead(stage, task.partitionId(), slices, waited));
    }
  }

  private static long bytes(List<FileSlice> slices) {
    return slices.stream().mapToLong(PlanModel::encodedBytes).sum();
  }

  /** The observer of a file that is opened on this thread. */
  @Override
  public ReadObserver apply(String path) {
    TaskContext task = TaskContext.get();
    Map<String, ReadRanges> files = task == null ? null : running.get(task.taskAttemptId());
    return files == null ? ReadObserver.NONE : files.computeIfAbsent(path, p -> new ReadRanges());
  }
}
