package io.eley.ior;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Tasks as threads of this process. */
final class ThreadTasks implements IorTasks {
  private final List<IorTask> tasks;
  private final ExecutorService threads;

  ThreadTasks(IorOptions options, IorTarget target, LongSupplier clock) {
    int count = options.shape().tasks();
    tasks =
        IntStream.range(0, count)
            .mapToObj(rank -> new IorTask(options, target, rank, clock))
            .toList();
    threads =
        Executors.newFixedThreadPool(
            count,
            task -> {
              var thread = new Thread(task, "ior-task");
              thread.setDaemon(true);
              return thread;
            });
  }

  @Override
  public List<TaskTimes> phase(PhaseOrder order) throws IOException {
    var barrier = new Phaser(tasks.size());
    var ended = new ExecutorCompletionService<TaskTimes>(threads);
    List<Future<TaskTimes>> running =
        tasks.stream().map(task -> ended.submit(member(task, order, barrier))).toList();
    try {
      awaitAll(ended, barrier);
      var times = new ArrayList<TaskTimes>();
      for (var task : running) {
        times.add(task.get());
      }
      return times;
    } catch (InterruptedException e) {
      cancel();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    }
  }

  @Override
  public void cancel() {
    tasks.forEach(IorTask::cancel);
  }

  @Override
  public void close() {
    cancel();
    threads.shutdownNow();
  }

  private static Callable<TaskTimes> member(IorTask task, PhaseOrder order, Phaser barrier) {
    return () ->
        task.run(
            order,
            () -> {
              if (barrier.arriveAndAwaitAdvance() < 0) {
                throw new InterruptedIOException("another task failed");
              }
            });
  }

  /** Waits for all in the order in which they end: the first failure ends the others. */
  private void awaitAll(ExecutorCompletionService<TaskTimes> ended, Phaser barrier)
      throws InterruptedException, IOException {
    IOException failure = null;
    for (int i = 0; i < tasks.size(); i++) {
      try {
        TaskTimes unused = ended.take().get();
      } catch (ExecutionException e) {
        failure = with(failure, e.getCause());
        barrier.forceTermination();
        cancel();
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static IOException with(@Nullable IOException first, @Nullable Throwable next) {
    IOException failure = next instanceof IOException io ? io : new IOException(next);
    if (first == null) {
      return failure;
    }
    first.addSuppressed(failure);
    return first;
  }
}
