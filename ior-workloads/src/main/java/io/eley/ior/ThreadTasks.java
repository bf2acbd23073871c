package io.eley.ior;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Tasks as threads of this process. */
final class ThreadTasks implements IorTasks {
  private final List<IorTask> tasks = new ArrayList<>();
  private final ExecutorService threads;

  ThreadTasks(IorOptions options, IorTarget target) {
    for (int rank = 0; rank < options.tasks(); rank++) {
      tasks.add(new IorTask(options, target, rank));
    }
    threads =
        Executors.newFixedThreadPool(
            options.tasks(),
            task -> {
              var thread = new Thread(task, "ior-task");
              thread.setDaemon(true);
              return thread;
            });
  }

  @Override
  public List<TaskTimes> phase(IorOperation operation) throws IOException {
    List<Future<TaskTimes>> running =
        tasks.stream().map(task -> threads.submit(() -> task.run(operation))).toList();
    var times = new ArrayList<TaskTimes>();
    IOException failure = null;
    for (var task : running) {
      try {
        times.add(task.get());
      } catch (ExecutionException e) {
        failure = with(failure, e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted");
      }
    }
    if (failure != null) {
      throw failure;
    }
    return times;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }

  private static IOException with(
      @org.jspecify.annotations.Nullable IOException first,
      @org.jspecify.annotations.Nullable Throwable next) {
    IOException failure = next instanceof IOException io ? io : new IOException(next);
    if (first == null) {
      return failure;
    }
    first.addSuppressed(failure);
    return first;
  }
}
