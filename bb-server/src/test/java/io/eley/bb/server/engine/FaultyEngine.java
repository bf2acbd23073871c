package io.eley.bb.server.engine;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.error.EleyException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Begins loads and ends them when told to, or fails. */
public final class FaultyEngine implements BlockEngine {
  public static final BlockGeometry GEOMETRY = new BlockGeometry(1 << 20, 1 << 20);

  private final long capacity;
  private final List<BlockId> begun = new ArrayList<>();
  private final List<BlockId> removed = new ArrayList<>();
  private final Set<Long> loaders = new HashSet<>();
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private final AtomicInteger looks = new AtomicInteger();
  private volatile CompletableFuture<Void> removals = CompletableFuture.completedFuture(null);
  private volatile @Nullable EleyException failure;
  private volatile boolean reachable = true;
  private volatile boolean hasAll;
  private int renewals;
  private Thread freeing = Thread.currentThread();

  public FaultyEngine(long capacity) {
    this.capacity = capacity;
  }

  public void endAll() {
    end.complete(null);
  }

  void reach(boolean now) {
    reachable = now;
  }

  void fail(@Nullable EleyException why) {
    failure = why;
  }

  void haveAll(boolean now) {
    hasAll = now;
  }

  void holdRemovals() {
    removals = new CompletableFuture<>();
  }

  void letRemovalsGo() {
    removals.complete(null);
  }

  int looks() {
    return looks.get();
  }

  /** How often threads that have loaded have waited, all together. */
  synchronized long waitsOfLoaders() {
    var threads = ManagementFactory.getThreadMXBean();
    return loaders.stream().mapToLong(id -> threads.getThreadInfo(id).getWaitedCount()).sum();
  }

  public synchronized List<BlockId> begun() {
    return List.copyOf(begun);
  }

  synchronized List<BlockId> removed() {
    return List.copyOf(removed);
  }

  synchronized int renewals() {
    return renewals;
  }

  /** What the thread does that frees, once it has renewed. */
  synchronized Thread.State freeing() {
    return freeing.getState();
  }

  @Override
  public void open(BlockGeometry geometry, String originAddress) {}

  @Override
  public long capacityBytes() {
    return capacity;
  }

  @Override
  public Optional<String> place(BlockId block) {
    return Optional.of("engine:" + block);
  }

  @Override
  public boolean reachable() {
    looks.incrementAndGet();
    return reachable;
  }

  @Override
  public long load(BlockId block, Duration deadline) throws EleyException {
    synchronized (this) {
      begun.add(block);
      loaders.add(Thread.currentThread().getId());
    }
    end.join();
    EleyException why = failure;
    if (why != null) {
      throw why;
    }
    return hasAll ? 0 : GEOMETRY.length(block);
  }

  @Override
  public void remove(BlockId block) {
    synchronized (this) {
      removed.add(block);
    }
    removals.join();
  }

  @Override
  public synchronized void renew() {
    freeing = Thread.currentThread();
    renewals++;
  }

  @Override
  public Duration leaseTime() {
    return Duration.ofMillis(400);
  }

  @Override
  public void close() {}
}
