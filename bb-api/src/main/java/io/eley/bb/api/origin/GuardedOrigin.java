package io.eley.bb.api.origin;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs origin calls on expendable threads with a deadline.
 *
 * <p>A frozen PFS server leaves the caller in uninterruptible sleep; neither an interrupt nor a
 * signal ends that. So a call that passes its deadline is abandoned together with its thread: the
 * caller gets {@code ORIGIN_HUNG}, the thread is counted in {@link #hungCalls} until the kernel
 * lets go of it, and the process goes on. Threads are daemons, so a hung one never keeps the
 * process alive. At most {@code maxThreads} exist; when all of them hang, further calls wait out
 * their deadline in the queue, which is what bounds the damage. When the system starts no further
 * thread, the caller's own makes the call: better one that may hang than none.
 *
 * <p>A buffer handed to an abandoned call must not be used again by the caller: the call may still
 * write to it when the server comes back.
 */
public final class GuardedOrigin implements AutoCloseable {
  /** An origin call. */
  @FunctionalInterface
  public interface Call<T> {
    T run() throws EleyException;
  }

  private final ThreadPoolExecutor threads;
  private final Duration deadline;
  private final AtomicInteger hung = new AtomicInteger();
  private final Map<GuardedTask<?>, Long> underWay = new ConcurrentHashMap<>();

  /** Calls that nobody waits for on a thread, and when they were asked for. */
  private final Map<Started<?>, Long> started = new ConcurrentHashMap<>();

  private final AtomicBoolean lookDue = new AtomicBoolean();
  private final Shortage shortage =
      new Shortage(System.getLogger(GuardedOrigin.class.getName()), "threads can be started again");

  /**
   * A guard that has not started a thread yet.
   *
   * @param name prefix of the threads' names
   * @param maxThreads most calls at once, hung ones included
   * @param deadline how long a call may take
   */
  public GuardedOrigin(String name, int maxThreads, Duration deadline) {
    this(maxThreads, deadline, daemons(name));
  }

  /** The same with threads of one's own. */
  GuardedOrigin(int maxThreads, Duration deadline, ThreadFactory factory) {
    this.deadline = deadline;
    threads =
        new ThreadPoolExecutor(
            maxThreads, maxThreads, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
    threads.allowCoreThreadTimeOut(true);
  }

  private static ThreadFactory daemons(String name) {
    var counter = new AtomicInteger();
    return task -> {
      var thread = new Thread(task, name + "-" + counter.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /**
   * Runs a call and waits for it. Blocks up to the deadline.
   *
   * @param what the call in words, for the error: "read /data/part-0"
   * @throws EleyException what the call threw; {@code ORIGIN_HUNG} past the deadline; {@code
   *     INTERRUPTED} when the caller was interrupted (the interrupt flag is set again)
   */
  public <T> T call(String what, Call<T> call) throws EleyException {
    return await(what, new GuardedTask<>(call, false));
  }

  /**
   * Starts a call without waiting for it, which spares two changes of thread. Never blocks.
   *
   * @return completed on the call's own thread as {@link #call} would return or throw; past the
   *     deadline, or an eighth of it later, on another one. Empty while the system gives no further
   *     thread: then somebody has to wait.
   * @throws java.util.concurrent.RejectedExecutionException when closed
   */
  public <T> Optional<CompletableFuture<T>> start(String what, Call<T> call) {
    var starting = new Started<>(what, call);
    started.put(starting, System.nanoTime());
    try {
      lookSoon();
      threads.execute(starting);
      return Optional.of(starting.answer);
    } catch (OutOfMemoryError e) {
      started.remove(starting);
      return Optional.empty();
    } catch (java.util.concurrent.RejectedExecutionException e) {
      started.remove(starting);
      throw e;
    }
  }

  private void lookSoon() {
    if (!lookDue.compareAndSet(false, true)) {
      return;
    }
    try {
      long pause = Math.max(1, deadline.toMillis() / 8);
      CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS, Runnable::run)
          .execute(this::endOverdue);
    } catch (OutOfMemoryError e) {
      lookDue.set(false);
      throw e;
    }
  }

  private void endOverdue() {
    lookDue.set(false);
    long now = System.nanoTime();
    started.forEach(
        (call, since) -> {
          if (now - since >= deadline.toNanos()) {
            call.giveUp();
          }
        });
    if (!started.isEmpty()) {
      lookSoon();
    }
  }

  /**
   * As {@link #call}, for what gives something back: it is made even when nobody waits for it any
   * more because all threads hang, as soon as one of them does not; and by the caller's own thread
   * when this is closed.
   */
  public <T> T callAnyhow(String what, Call<T> call) throws EleyException {
    return await(what, new GuardedTask<>(call, true));
  }

  private <T> T await(String what, GuardedTask<T> task) throws EleyException {
    try {
      execute(task);
      return task.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      task.abandon();
      throw hung(what, e);
    } catch (InterruptedException e) {
      task.abandon();
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.INTERRUPTED, "interrupted: " + what, e);
    } catch (ExecutionException e) {
      throw failed(what, e);
    } catch (java.util.concurrent.RejectedExecutionException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "closed: " + what, e);
    }
  }

  private EleyException hung(String what, TimeoutException e) {
    return new EleyException(
        ErrorCode.ORIGIN_HUNG,
        "the origin has not answered for " + deadline.toMillis() + " ms: " + what,
        e);
  }

  private static EleyException failed(String what, ExecutionException e) {
    return e.getCause() instanceof EleyException ours
        ? ours
        : new EleyException(
            ErrorCode.ORIGIN_FAILED, "failed to " + what + ": " + e.getCause(), e.getCause());
  }

  /** While the system gives no further thread the caller's own does it, without a deadline. */
  private void execute(GuardedTask<?> task) {
    try {
      threads.execute(task);
    } catch (java.util.concurrent.RejectedExecutionException e) {
      if (!task.anyhow) {
        throw e;
      }
      task.run();
      return;
    } catch (OutOfMemoryError e) {
      shortage.noteRefused(
          "no thread can be started ("
              + e.getMessage()
              + "): origin calls have no deadline until one can");
      task.run();
      return;
    }
    shortage.noteGiven();
  }

  /** Calls that have passed their deadline and not come back. */
  public int hungCalls() {
    return hung.get();
  }

  /**
   * How long calls have been made for that have not come back, given up or not; those that wait for
   * a thread are none.
   *
   * @param least shorter ones are left out
   */
  public List<Duration> underWayFor(Duration least) {
    long now = System.nanoTime();
    return underWay.values().stream()
        .map(since -> Duration.ofNanos(now - since))
        .filter(took -> took.compareTo(least) >= 0)
        .toList();
  }

  /** Abandons the threads without waiting for calls under way. */
  @Override
  public void close() {
    threads.shutdown();
  }

  /** One call; counted as hung from {@link #abandon} until it comes back. */
  private class GuardedTask<T> extends FutureTask<T> {
    private final boolean anyhow;
    private boolean abandoned;
    private boolean over;
    private boolean started;

    GuardedTask(Call<T> call, boolean anyhow) {
      super(call::run);
      this.anyhow = anyhow;
    }

    @Override
    public void run() {
      synchronized (this) {
        if (abandoned && !anyhow) {
          return;
        }
        started = true;
        if (abandoned) {
          hung.incrementAndGet(); // until it is over
        }
        underWay.put(this, System.nanoTime());
      }
      super.run();
      underWay.remove(this);
      synchronized (this) {
        over = true;
        if (abandoned) {
          hung.decrementAndGet();
        }
      }
    }

    synchronized void abandon() {
      abandoned = true;
      if (started && !over) {
        hung.incrementAndGet();
      }
    }

    @Override
    public boolean cancel(boolean interrupt) {
      throw new AssertionError("an origin call is abandoned, not cancelled: " + (Future<T>) this);
    }
  }

  /** A call that answers by itself. */
  private final class Started<T> extends GuardedTask<T> {
    private final String what;
    private final CompletableFuture<T> answer = new CompletableFuture<>();

    Started(String what, Call<T> call) {
      super(call, false);
      this.what = what;
    }

    @Override
    protected void done() {
      started.remove(this);
      try {
        answer.complete(get());
      } catch (ExecutionException e) {
        answer.completeExceptionally(failed(what, e));
      } catch (InterruptedException e) {
        throw new AssertionError("what is done is not waited for", e);
      }
    }

    void giveUp() {
      if (started.remove(this) != null) {
        abandon();
        answer.completeExceptionally(hung(what, new TimeoutException()));
      }
    }
  }
}
