package io.eley.spark.connector.plan;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.spark.TaskContext;

/** Stages whose submission Spark's bus has told to all listeners, for tasks that wait for it. */
final class ToldStages {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Set<String> stages = new HashSet<>();

  synchronized void add(int stage, int attempt) {
    stages.add(name(stage, attempt));
    notifyAll();
  }

  /**
   * Blocks until the task's stage is one of them.
   *
   * @throws IOException when it is none within half a minute
   */
  synchronized void await(TaskContext task) throws IOException {
    String stage = name(task.stageId(), task.stageAttemptNumber());
    long ends = System.nanoTime() + PATIENCE_NANOS;
    while (!stages.contains(stage)) {
      long left = ends - System.nanoTime();
      if (left <= 0) {
        throw new IOException("nobody was told of stage " + stage);
      }
      try {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted before stage " + stage + " was told");
      }
    }
  }

  private static String name(int stage, int attempt) {
    return stage + "/" + attempt;
  }
}
