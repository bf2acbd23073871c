package io.eley.bb.api.client;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Leased files that are kept open for the next reads. A lease keeps its block from being evicted
 * and takes a descriptor, so there are at most so many: the least recently used makes room for a
 * new one. One that nobody has used for {@link #IDLE} is given back at the next look, which comes
 * once in that time while anything is kept. To lease again once a second costs a reader nothing
 * that it would notice. Those of a file whose stream was closed are given back sooner, but not at
 * once: who opens a file, reads a little and closes it, often comes back to it, and a lease costs
 * several times as much as the read.
 *
 * <p>Safe for several threads: the map is locked for looking up only, files are closed and leases
 * given back without the lock.
 */
final class KeptLeases implements AutoCloseable {
  /** A lease without a read for so long is given back. */
  static final Duration IDLE = Duration.ofSeconds(1);

  /** Leases of a closed file are given back after this time, or up to twice as long. */
  static final Duration LINGER = Duration.ofMillis(100);

  private final int most;
  private final LongSupplier nanoClock;
  private final ScheduledThreadPoolExecutor looks;
  // Guarded by its own monitor, as all that follows is.
  private final Map<BlockId, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);
  private boolean lookDue;

  /** Files closed since the last sweep, and before it. */
  private Set<FileVersion> justClosed = new HashSet<>();

  private Set<FileVersion> closed = new HashSet<>();
  private boolean sweepDue;

  /** A file, and when it was last asked for. */
  private static final class Kept {
    final LeasedFile file;
    long usedAt;

    Kept(LeasedFile file, long usedAt) {
      this.file = file;
      this.usedAt = usedAt;
    }
  }

  /**
   * None yet.
   *
   * @param most that are kept at once, 1 or more
   * @param nanoClock as {@link System#nanoTime}
   */
  KeptLeases(int most, LongSupplier nanoClock) {
    this.most = most;
    this.nanoClock = nanoClock;
    looks =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              var thread = new Thread(task, "eley-leases");
              thread.setDaemon(true);
              return thread;
            });
    looks.setKeepAliveTime(10, TimeUnit.SECONDS);
    looks.allowCoreThreadTimeOut(true);
    looks.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** The block's file, which the caller releases after use. */
  Optional<LeasedFile> use(BlockId block) {
    synchronized (kept) {
      Kept known = kept.get(block);
      if (known == null || !known.file.retain()) {
        return Optional.empty();
      }
      known.usedAt = nanoClock.getAsLong();
      reopened(block.file());
      return Optional.of(known.file);
    }
  }

  /** Takes over one use of the file, and gives back what it replaces or displaces. */
  void keep(BlockId block, LeasedFile file) {
    var leaving = new ArrayList<LeasedFile>();
    synchronized (kept) {
      reopened(block.file());
      Kept raced = kept.put(block, new Kept(file, nanoClock.getAsLong()));
      if (raced != null) {
        leaving.add(raced.file);
      }
      takeOldest(kept.size() - most, leaving);
      scheduleLook();
    }
    leaving.forEach(LeasedFile::release);
  }

  /** Gives a block's lease back, if there is one. */
  void drop(BlockId block) {
    Kept dropped;
    synchronized (kept) {
      dropped = kept.remove(block);
    }
    if (dropped != null) {
      dropped.file.release();
    }
  }

  /**
   * Gives back the leases of a file's blocks after {@link #LINGER}, unless it is read again: then
   * its pages are held against their checksums anew.
   */
  void fileClosed(FileVersion file) {
    synchronized (kept) {
      kept.forEach(
          (block, lease) -> {
            if (block.file().equals(file)) {
              lease.file.checkAnew();
            }
          });
      if (!kept.isEmpty()) {
        justClosed.add(file);
        scheduleSweep();
        if (!sweepDue) {
          justClosed.clear(); // they become idle instead
        }
      }
    }
  }

  /** With the lock held. */
  private void reopened(FileVersion file) {
    if (sweepDue) {
      justClosed.remove(file);
      closed.remove(file);
    }
  }

  /** Gives back the leases of files that were closed before the last sweep. */
  private void sweep() {
    Set<FileVersion> leaving;
    List<LeasedFile> files;
    synchronized (kept) {
      sweepDue = false;
      leaving = closed;
      closed = justClosed;
      justClosed = new HashSet<>();
      files = take(block -> leaving.contains(block.file()));
      if (!closed.isEmpty()) {
        scheduleSweep();
      }
    }
    files.forEach(LeasedFile::release);
  }

  /** With the lock held. */
  private List<LeasedFile> take(Predicate<BlockId> which) {
    var taken = new ArrayList<LeasedFile>();
    var all = kept.entrySet().iterator();
    while (all.hasNext()) {
      var each = all.next();
      if (which.test(each.getKey())) {
        taken.add(each.getValue().file);
        all.remove();
      }
    }
    return taken;
  }

  /** Gives back these files. */
  void dropFiles(Predicate<LeasedFile> which) {
    List<Kept> dropped;
    synchronized (kept) {
      dropped = kept.values().stream().filter(each -> which.test(each.file)).toList();
      kept.values().removeAll(dropped);
    }
    dropped.forEach(each -> each.file.release());
  }

  /** Gives back the less recently used half, rounded up: descriptors are scarce. */
  void dropHalf() {
    var dropped = new ArrayList<LeasedFile>();
    synchronized (kept) {
      takeOldest((kept.size() + 1) / 2, dropped);
    }
    dropped.forEach(LeasedFile::release);
  }

  /** Gives back what nobody has used for {@link #IDLE}. */
  void dropIdle() {
    var idle = new ArrayList<LeasedFile>();
    synchronized (kept) {
      lookDue = false;
      long now = nanoClock.getAsLong();
      int count = 0;
      for (Kept each : kept.values()) {
        if (now - each.usedAt < IDLE.toNanos()) {
          break;
        }
        count++;
      }
      takeOldest(count, idle);
      scheduleLook();
    }
    idle.forEach(LeasedFile::release);
  }

  /** Gives back all; what is kept later is given back by a further call. */
  @Override
  public void close() {
    looks.shutdown();
    dropFiles(file -> true);
  }

  /** With the lock held. */
  private void takeOldest(int count, List<LeasedFile> into) {
    var oldest = kept.values().iterator();
    for (int i = 0; i < count; i++) {
      into.add(oldest.next().file);
      oldest.remove();
    }
  }

  /** With the lock held. */
  private void scheduleLook() {
    if (!lookDue && !kept.isEmpty()) {
      lookDue = schedule(this::dropIdle, IDLE);
    }
  }

  /** With the lock held. */
  private void scheduleSweep() {
    if (!sweepDue) {
      sweepDue = schedule(this::sweep, LINGER);
    }
  }

  /** False when the client is closed, or the system gives no thread: the next lease tries again. */
  private boolean schedule(Runnable task, Duration delay) {
    try {
      var unused = looks.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      return false;
    }
  }
}
