package io.eley.coordinator;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * The one thread of a coordinator on virtual time: what is due next runs next, on the caller's
 * thread, and what is due at the same moment in the order in which it was handed in.
 */
final class VirtualThread extends AbstractExecutorService implements ScheduledExecutorService {
  private record Task(long at, long number, Runnable work) {}

  /** A future that nobody waits for. */
  private static final class Unawaited<V> extends CompletableFuture<V>
      implements ScheduledFuture<V> {
    @Override
    public long getDelay(TimeUnit unit) {
      throw new UnsupportedOperationException("nobody asks");
    }

    @Override
    public int compareTo(Delayed other) {
      throw new UnsupportedOperationException("nobody sorts");
    }
  }

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::at).thenComparingLong(Task::number));
  private long now;
  private long numbers;

  long now() {
    return now;
  }

  /** Hands in work for a moment that is not past. */
  void at(long time, Runnable work) {
    tasks.add(new Task(time, numbers++, work));
  }

  /** Lets time pass up to a moment; work that is due then is done. */
  void runUntil(long end) {
    for (Task next = tasks.peek(); next != null && next.at() <= end; next = tasks.peek()) {
      tasks.remove();
      now = next.at();
      next.work().run();
    }
    now = end;
  }

  @Override
  public void execute(Runnable work) {
    at(now, work);
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable work, long delay, TimeUnit unit) {
    at(now + unit.toNanos(delay), work);
    return new Unawaited<>();
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable work, long first, long delay, TimeUnit unit) {
    at(
        now + unit.toNanos(first),
        () -> {
          work.run();
          var unused = scheduleWithFixedDelay(work, delay, delay, unit);
        });
    return new Unawaited<>();
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> work, long delay, TimeUnit unit) {
    throw new UnsupportedOperationException("an agent hands in no callables");
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable work, long first, long period, TimeUnit unit) {
    throw new UnsupportedOperationException("an agent has no fixed rates");
  }

  @Override
  public void shutdown() {}

  @Override
  public List<Runnable> shutdownNow() {
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return false;
  }

  /** For messages of failed tests. */
  @Override
  public String toString() {
    return "virtual thread at " + Duration.ofNanos(now);
  }
}
