package io.eley.spark.connector.plan;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;

/**
 * Reads footers beside the driver's work. A footer that takes longer than its deadline is not
 * known, nor what is made of it then, and one that hangs costs a thread of a few. Never blocks its
 * caller; any thread.
 */
final class Footers implements AutoCloseable {
  private static final int THREADS = 8;
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  /** The part of the driver's heap that footers are kept in: 64 MiB of Spark's default of 1 GiB. */
  private static final int HEAP_PARTS = 16;

  /** Reads a file's footer. */
  interface Reader {
    Footer read(ColumnarFile file) throws IOException;
  }

  private final FooterCache cache = new FooterCache(Runtime.getRuntime().maxMemory() / HEAP_PARTS);
  private final Reader reader;
  private final Executor threads;
  private final Duration deadline;

  Footers(Reader reader, Executor threads, Duration deadline) {
    this.reader = reader;
    this.threads = threads;
    this.deadline = deadline;
  }

  /** Reads with Hadoop's file systems, on daemon threads that end when nothing is to be read. */
  static Footers start(Configuration conf) {
    return new Footers(new FooterReader(conf)::read, pool(), DEADLINE);
  }

  static ThreadPoolExecutor pool() {
    var count = new AtomicInteger();
    var pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            30,
            TimeUnit.SECONDS,
            // As many files as stages look for at once.
            new LinkedBlockingQueue<>(),
            task -> {
              var thread = new Thread(task, "eley-footers-" + count.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /**
   * What is made of the file's footer; fails when that cannot be read, or either not in time.
   *
   * @param use takes a while for a file of many columns, and reads page indexes. It runs on the
   *     thread that has read the footer, before the next one is read: else all wait on the heap for
   *     the last of them. It never runs on the caller's thread, also when the footer comes just now
   */
  <T> CompletableFuture<T> use(ColumnarFile file, Function<Footer, T> use) {
    CompletableFuture<Footer> footer = cache.get(file, this::begin);
    var used = new CompletableFuture<T>();
    Thread caller = Thread.currentThread();
    Executor here =
        task -> {
          if (Thread.currentThread() == caller) {
            threads.execute(task);
          } else {
            task.run();
          }
        };
    CompletableFuture<T> chain = footer.thenApplyAsync(read -> timed(read, use, used), here);
    var unused =
        chain.whenComplete(
            (made, failure) -> {
              if (failure == null) {
                used.complete(made);
              } else {
                used.completeExceptionally(failure);
              }
            });
    return used;
  }

  /** Lets the result fail when it is not made in time, from now on: before it waited its turn. */
  private <T> T timed(Footer footer, Function<Footer, T> use, CompletableFuture<T> into) {
    var unused = into.orTimeout(deadline.toMillis(), TimeUnit.MILLISECONDS);
    return use.apply(footer);
  }

  private CompletableFuture<Footer> begin(ColumnarFile file) {
    var footer = new CompletableFuture<Footer>();
    try {
      threads.execute(() -> read(file, footer));
    } catch (RejectedExecutionException e) {
      footer.completeExceptionally(e);
    }
    return footer;
  }

  private void read(ColumnarFile file, CompletableFuture<Footer> into) {
    var unused = into.orTimeout(deadline.toMillis(), TimeUnit.MILLISECONDS);
    try {
      into.complete(reader.read(file));
    } catch (IOException | RuntimeException | LinkageError e) {
      into.completeExceptionally(e);
    }
  }

  @Override
  public void close() {
    if (threads instanceof ThreadPoolExecutor pool) {
      pool.shutdownNow();
    }
  }
}
