package io.eley.bb.server.engine;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.permit.PermitGate;
import io.eley.bb.server.fetch.FetchListener;
import io.eley.bb.server.fetch.FetchOptions;
import io.eley.bb.server.store.DropReason;
import io.eley.bb.server.store.StoreListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads blocks into an engine and frees them, under the node's permit: the counterpart of {@link
 * io.eley.bb.server.fetch.BlockFetcher} for blocks that are not ours to store.
 *
 * <p>The problem. An engine reads a block of the origin in one call that cannot be stopped. So the
 * permit is asked before each block, never more blocks are under way than it allows, and a hold is
 * complete when those have ended: at most one block for each loader thread.
 *
 * <p>Threads. Loaders take the next block that the permit allows, what a task waits for before what
 * is planned, and wait in the engine's call. One more thread frees and renews, because a call that
 * frees takes as long as a load; another looks whether the engine can be reached: when it cannot,
 * nobody waits for it, and readers go on to the origin. {@link EngineBlocks} belongs to the
 * monitor. The listeners are called with it, so that they hear of a block in the order in which it
 * came and went; the engine and those who wait are called without it.
 */
public final class EngineLoader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EngineLoader.class);

  /** An engine that does not answer is asked again after this time, then after twice as long … */
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

  private static final Duration LAST_PAUSE = Duration.ofSeconds(5);

  /** How long the end may take beyond the loads that are under way. */
  private static final Duration FAREWELL = Duration.ofSeconds(3);

  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long REACH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Waits for a block; called once, on any thread, and must not block. */
  public interface Waiter {
    /** The block is in the engine, and stays until {@link EngineLoader#release}. */
    void here();

    /** It will not come. */
    void failed(EleyException why);
  }

  private record Waiting(Waiter waiter, long since) {}

  private record Load(BlockId block, ReadCause cause, int bytes) {}

  private final BlockEngine engine;
  private final BlockGeometry geometry;
  private final PermitGate gate;
  private final StoreListener changes;
  private final FetchListener results;
  private final Duration deadline;
  private final long mostBytesAtOnce;
  private final EngineBlocks<Waiting> blocks;
  private final Map<ReadCause, Long> originBytes = new EnumMap<>(ReadCause.class);
  private final List<Thread> threads = new ArrayList<>();
  private boolean closed;
  private boolean lost;
  private int loading;
  private int hung;
  private long pauseNanos;
  private long pausedUntil = System.nanoTime();

  private EngineLoader(
      BlockEngine engine,
      BlockGeometry geometry,
      PermitGate gate,
      FetchOptions options,
      Reports reports) {
    this.engine = engine;
    this.geometry = geometry;
    this.gate = gate;
    this.changes = reports.changes();
    this.results = reports.results();
    this.deadline = options.deadline();
    mostBytesAtOnce = (long) options.most() * geometry.blockSize();
    blocks = new EngineBlocks<>(engine.capacityBytes(), geometry::length);
    for (int i = 0; i < options.most(); i++) {
      threads.add(daemon(this::load, "eley-engine-load-" + i));
    }
    threads.add(daemon(this::freeAndRenew, "eley-engine-free"));
    threads.add(daemon(this::lookAfterEngine, "eley-engine-look"));
  }

  /** Who learns what becomes of blocks; neither may call back. */
  public record Reports(StoreListener changes, FetchListener results) {}

  /**
   * Starts the threads.
   *
   * @param engine that is open; stays the caller's
   */
  public static EngineLoader start(
      BlockEngine engine,
      BlockGeometry geometry,
      PermitGate gate,
      FetchOptions options,
      Reports reports) {
    var loader = new EngineLoader(engine, geometry, gate, options, reports);
    gate.setListener(loader::wake);
    loader.threads.forEach(Thread::start);
    return loader;
  }

  private static Thread daemon(Runnable task, String name) {
    var thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Plans these blocks in this order, after those planned before. Does not block. */
  public synchronized void order(Collection<BlockId> wanted) {
    for (BlockId block : wanted) {
      if (blocks.order(block)) {
        results.alreadyThere(block);
      }
    }
    notifyAll();
  }

  /** Nobody plans to read these any more. Does not block. */
  public synchronized void free(Collection<BlockId> unwanted) {
    blocks.free(unwanted);
    notifyAll();
  }

  /** Notes that nobody will free what was ordered before. Does not block. */
  public synchronized void forgetOrders() {
    blocks.forgetOrders();
    notifyAll();
  }

  /**
   * Has the block loaded for a task, and leased when it is here; fails at once while the engine
   * does not answer. Does not block.
   */
  public void lease(BlockId block, Waiter waiter) {
    boolean away;
    boolean here = false;
    synchronized (this) {
      away = lost || (pauseNanos > 0 && pausedUntil - System.nanoTime() > 0);
      if (!away) {
        here = blocks.demand(block, new Waiting(waiter, System.nanoTime()));
        notifyAll();
      }
    }
    if (away) {
      waiter.failed(new EleyException(ErrorCode.UNAVAILABLE, "the engine does not answer"));
    } else if (here) {
      waiter.here();
    }
  }

  /** Ends a lease. Does not block. */
  public synchronized void release(BlockId block) {
    blocks.release(block);
    notifyAll();
  }

  /** Fails those who have waited for longer than this. Does not block. */
  public void giveUp(Duration longest, EleyException why) {
    takeWaiting(longest).forEach(each -> each.waiter.failed(why));
  }

  private List<Waiting> takeWaiting(Duration longest) {
    long now = System.nanoTime();
    var given = new ArrayList<Waiting>();
    Predicate<Waiting> tooLong =
        each -> {
          boolean late = now - each.since >= longest.toNanos();
          if (late) {
            given.add(each);
          }
          return late;
        };
    synchronized (this) {
      blocks.giveUp(tooLong);
      if (!given.isEmpty()) {
        notifyAll(); // another block may be the first
      }
    }
    return given;
  }

  /** What a hold cannot stop at most, in bytes: a block for each loader thread. */
  public long mostBytesAtOnce() {
    return mostBytesAtOnce;
  }

  /** The blocks that are in the engine. */
  public synchronized Collection<BlockId> inventory() {
    return blocks.inventory();
  }

  /**
   * What it has done, and does.
   *
   * @param usedBytes in the engine, on their way into it and out of it
   * @param blocks in the engine
   * @param gone blocks that have left it
   * @param queued blocks that wait to be loaded
   * @param hung loads that were given up on since one has last read the origin
   * @param originBytes by cause
   */
  public record Counters(
      long usedBytes,
      int blocks,
      long gone,
      int queued,
      int hung,
      Map<ReadCause, Long> originBytes) {
    public Counters {
      originBytes = Map.copyOf(originBytes);
    }
  }

  /** The counters of this moment. */
  public synchronized Counters counters() {
    return new Counters(
        blocks.used(), blocks.here(), blocks.gone(), blocks.queued(), hung, originBytes);
  }

  private synchronized void wake() {
    notifyAll();
  }

  private void load() {
    try {
      for (Optional<Load> next = next(); next.isPresent(); next = next()) {
        load(next.get());
      }
      freeRest();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for the next block that may be loaded; empty is the end. */
  private synchronized Optional<Load> next() throws InterruptedException {
    while (!closed) {
      long wait = lost ? LOOK_NANOS : pausedUntil - System.nanoTime();
      if (wait <= 0) {
        Optional<Load> next = enter(ReadCause.DEMAND).or(() -> enter(ReadCause.PREFETCH));
        if (next.isPresent()) {
          return next;
        }
        wait = Math.min(untilOpen(ReadCause.DEMAND), untilOpen(ReadCause.PREFETCH));
      }
      TimeUnit.NANOSECONDS.timedWait(this, Math.max(1_000_000, Math.min(wait, LOOK_NANOS)));
    }
    return Optional.empty();
  }

  /** With the monitor held. */
  private Optional<Load> enter(ReadCause cause) {
    Optional<BlockId> first = blocks.first(cause);
    if (first.isEmpty()) {
      return Optional.empty();
    }
    int bytes = geometry.length(first.get());
    int leaving = blocks.leaving();
    if (!blocks.makeRoom(bytes, cause)) {
      if (blocks.leaving() > leaving) {
        notifyAll(); // who frees; loaders that woke each other for nothing would never rest
      }
      return Optional.empty();
    }
    if (!gate.tryEnter(cause, bytes)) {
      return Optional.empty();
    }
    blocks.begin(cause);
    loading++;
    return Optional.of(new Load(first.get(), cause, bytes));
  }

  /** With the monitor held; whoever makes room notifies. */
  private long untilOpen(ReadCause cause) {
    return blocks.first(cause).map(geometry::length).filter(blocks::hasRoom).isEmpty()
        ? PermitGate.NEVER
        : gate.nanosUntilOpen(cause);
  }

  private void load(Load load) {
    long began = System.nanoTime();
    int beside = underWay();
    try {
      long read = engine.load(load.block, deadline);
      long ended = System.nanoTime();
      gate.leave(load.cause, load.bytes);
      noteLoaded(load, read);
      if (read > 0) {
        results.chunkRead(ended, ended - began, (int) read, beside);
      }
    } catch (EleyException e) {
      gate.leave(load.cause, load.bytes);
      noteFailed(load, e);
    } catch (RuntimeException e) {
      LOG.error("defect while loading {}", load.block, e);
      gate.leave(load.cause, load.bytes);
      noteFailed(load, new EleyException(ErrorCode.INTERNAL, "defect while loading", e));
    }
  }

  private synchronized int underWay() {
    return loading;
  }

  private void noteLoaded(Load load, long read) {
    List<Waiting> waited;
    synchronized (this) {
      loading--;
      pauseNanos = 0;
      if (read > 0) {
        hung = 0; // The origin answers.
      }
      originBytes.merge(load.cause, read, Long::sum);
      waited = blocks.loaded(load.block);
      changes.committed(load.block);
      notifyAll();
    }
    waited.forEach(each -> each.waiter.here());
  }

  private void noteFailed(Load load, EleyException why) {
    List<Waiting> waited;
    boolean news;
    synchronized (this) {
      loading--;
      if (why.code() == ErrorCode.ORIGIN_HUNG) {
        // It may have read all of it, and may go on: counted as read rather than not at all.
        hung++;
        originBytes.merge(load.cause, (long) load.bytes, Long::sum);
      } else if (why instanceof ReadInVainException read) {
        originBytes.merge(load.cause, read.bytes(), Long::sum);
      }
      news = why.code() == ErrorCode.UNAVAILABLE && pauseNanos == 0;
      if (why.code() == ErrorCode.UNAVAILABLE) {
        pauseNanos =
            Math.min(LAST_PAUSE.toNanos(), Math.max(FIRST_PAUSE.toNanos(), 2 * pauseNanos));
        pausedUntil = System.nanoTime() + pauseNanos;
      }
      waited = blocks.failed(load.block);
      results.failed(load.block, why);
      notifyAll();
    }
    if (news) {
      LOG.warn("the engine does not answer: {}; trying again", why.getMessage());
    }
    waited.forEach(each -> each.waiter.failed(why));
  }

  private void freeAndRenew() {
    try {
      long every = engine.leaseTime().toNanos() / 4;
      long renewed = System.nanoTime();
      while (!isClosed()) {
        BlockId next = nextLeaving(every);
        if (next != null) {
          free(next);
        }
        if (System.nanoTime() - renewed >= every && !isLost()) {
          renewed = System.nanoTime();
          engine.renew();
        }
      }
      freeRest();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean isLost() {
    return lost;
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  /** All threads free together what is left; what they do not get done the engine frees itself. */
  private void freeRest() {
    long end = System.nanoTime() + FAREWELL.toNanos();
    for (BlockId next = takeLeaving();
        next != null && System.nanoTime() - end < 0;
        next = takeLeaving()) {
      free(next);
    }
  }

  private synchronized @Nullable BlockId takeLeaving() {
    return blocks.takeLeaving();
  }

  private synchronized @Nullable BlockId nextLeaving(long atMostNanos) throws InterruptedException {
    BlockId next = lost ? null : blocks.takeLeaving();
    if (next == null && !closed) {
      TimeUnit.NANOSECONDS.timedWait(this, Math.min(atMostNanos, LOOK_NANOS));
      next = lost ? null : blocks.takeLeaving();
    }
    return next;
  }

  private void lookAfterEngine() {
    try {
      while (!isClosed()) {
        if (engine.reachable()) {
          noteReached();
        } else {
          noteLost();
        }
        synchronized (this) {
          if (!closed) {
            TimeUnit.NANOSECONDS.timedWait(this, REACH_NANOS);
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void noteReached() {
    if (lost) {
      lost = false;
      LOG.info("the engine is back");
      notifyAll();
    }
  }

  private void noteLost() {
    List<BlockId> gone;
    synchronized (this) {
      if (lost || closed) {
        return;
      }
      lost = true;
      gone = blocks.lose();
      gone.forEach(block -> changes.dropped(block, DropReason.EVICTED));
    }
    LOG.warn(
        "the engine cannot be reached: {} blocks are gone, reads go to the origin", gone.size());
    giveUp(Duration.ZERO, new EleyException(ErrorCode.UNAVAILABLE, "the engine is gone"));
  }

  private void free(BlockId block) {
    try {
      engine.remove(block);
    } catch (EleyException | RuntimeException e) {
      // The engine frees it when nobody renews it, or has lost it with its worker.
      LOG.debug("cannot free {}: {}", block, e.getMessage());
    }
    synchronized (this) {
      if (blocks.left(block)) {
        changes.dropped(block, DropReason.EVICTED);
      }
      notifyAll();
    }
  }

  /**
   * Ends the threads and frees what nobody reads; a load that is under way is waited for, up to its
   * deadline. Blocks.
   */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      blocks.free(blocks.inventory());
      notifyAll();
    }
    try {
      for (Thread thread : threads) {
        thread.join(deadline.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
