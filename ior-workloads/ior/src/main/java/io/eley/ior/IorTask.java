package io.eley.ior;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What one task does in one phase: open, transfer everything, close. Runs on the task's own thread
 * and blocks.
 */
final class IorTask {
  /** Where all tasks wait for each other. */
  @FunctionalInterface
  interface Barrier {
    /**
     * Waits for the others.
     *
     * @throws IOException when the phase is over because another task failed or the run is stopped
     */
    void await() throws IOException;
  }

  private final IorOptions options;
  private final IorTarget target;
  private final int rank;
  private final LongSupplier clock;
  private volatile boolean cancelled;

  /**
   * A task.
   *
   * @param clock nanoseconds, the same clock for all tasks
   */
  IorTask(IorOptions options, IorTarget target, int rank, LongSupplier clock) {
    this.options = options;
    this.target = target;
    this.rank = rank;
    this.clock = clock;
  }

  /** Ends the task before its next transfer, with an error. May be called by any thread. */
  void cancel() {
    cancelled = true;
  }

  /** Crosses the barrier once, and twice more with {@code -g}. */
  TaskTimes run(PhaseOrder order, Barrier barrier) throws IOException {
    boolean write = order.operation() == IorOperation.WRITE;
    int owner = options.ownerFor(rank, order.operation());
    ByteBuffer buffer = pattern();
    barrier.await();
    long openStart = clock.getAsLong();
    TaskTimes atClose;
    try (var file = target.open(options.fileOf(owner), write)) {
      long openEnd = clock.getAsLong();
      between(barrier);
      long start = clock.getAsLong();
      Moved moved = transfer(file, order, buffer, owner);
      if (write && options.access().sync()) {
        file.sync();
      }
      long end = clock.getAsLong();
      between(barrier);
      long closing = clock.getAsLong();
      atClose =
          new TaskTimes(
              openStart, openEnd, start, end, closing, closing, moved.busy(), moved.transfers());
    }
    return atClose.closedAt(clock.getAsLong());
  }

  private record Moved(long busy, long transfers) {}

  private Moved transfer(IorTarget.IorFile file, PhaseOrder order, ByteBuffer buffer, int owner)
      throws IOException {
    long perBlock = options.shape().block().bytes() / buffer.capacity();
    long count = Math.min(perBlock * options.shape().segments(), order.mostTransfers());
    long begin = clock.getAsLong();
    long before = begin;
    long busy = 0;
    for (long i = 0; i < count; i++) {
      if (hitsStonewall(before - begin)) {
        return new Moved(busy, i);
      }
      if (cancelled) {
        throw new InterruptedIOException("stopped");
      }
      long position =
          options.offsetOf(owner, (int) (i / perBlock)) + i % perBlock * buffer.capacity();
      buffer.clear();
      move(file, order.operation(), buffer, position);
      long after = clock.getAsLong();
      busy += after - before;
      before = after;
    }
    return new Moved(busy, count);
  }

  private boolean hitsStonewall(long elapsedNanos) {
    int seconds = options.pacing().stonewall();
    return seconds > 0 && elapsedNanos > TimeUnit.SECONDS.toNanos(seconds);
  }

  private static void move(
      IorTarget.IorFile file, IorOperation operation, ByteBuffer buffer, long position)
      throws IOException {
    if (operation == IorOperation.WRITE) {
      file.write(buffer, position);
    } else {
      file.read(buffer, position);
    }
  }

  private void between(Barrier barrier) throws IOException {
    if (options.pacing().barriers()) {
      barrier.await();
    }
  }

  /** The rank in every word, so that a file shows whose bytes it holds. */
  private ByteBuffer pattern() {
    var buffer = ByteBuffer.allocateDirect(options.shape().transfer().intBytes());
    while (buffer.remaining() >= Long.BYTES) {
      buffer.putLong(rank);
    }
    return buffer;
  }
}
