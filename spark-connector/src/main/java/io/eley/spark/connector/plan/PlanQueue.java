package io.eley.spark.connector.plan;

import io.eley.bb.api.FileSlice;
import io.eley.bb.api.StageId;
import io.eley.bb.api.wire.PlanMessage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Changes of the model on their way from Spark's listener bus to the thread that reports them. The
 * bus never waits and the thread may for a minute, for a coordinator that does not answer; so what
 * waits is bounded, but no change is lost that nothing would tell again.
 *
 * <p>Ends of tasks, the many, are one change for each stage as long as they wait. What tasks have
 * read is worth a better plan only: it goes behind all else, and beyond some megabytes it is
 * dropped. The rest is a few changes for each stage.
 *
 * <p>Safe for several threads; only {@link #take} blocks.
 */
final class PlanQueue {
  /** Of the driver's heap, which is a gigabyte by default. */
  private static final long READ_BYTES = 16 << 20;

  /** A range of a file without its path: each has a copy of that. */
  private static final long SLICE_BYTES = 128;

  /** A task that has succeeded. */
  record TaskEnd(StageId stage, int partition) implements Function<PlanModel, List<PlanMessage>> {
    @Override
    public List<PlanMessage> apply(PlanModel model) {
      return model.endTask(stage, partition);
    }
  }

  /** A task that had succeeded and runs again. */
  record TaskAgain(StageId stage, int partition) implements Function<PlanModel, List<PlanMessage>> {
    @Override
    public List<PlanMessage> apply(PlanModel model) {
      return model.resubmitTask(stage, partition);
    }
  }

  /** What a task has read. */
  record Read(PlanMessage.TaskRead read) implements Function<PlanModel, List<PlanMessage>> {
    @Override
    public List<PlanMessage> apply(PlanModel model) {
      return model.noteRead(read);
    }

    private long bytes() {
      long bytes = SLICE_BYTES;
      for (FileSlice slice : read.slices()) {
        bytes += SLICE_BYTES + slice.path().length();
      }
      return bytes;
    }
  }

  /** Tasks of one stage that have ended while this waited. */
  private record Ends(StageId stage, BitSet partitions)
      implements Function<PlanModel, List<PlanMessage>> {
    @Override
    public List<PlanMessage> apply(PlanModel model) {
      return model.endTasks(stage, partitions);
    }
  }

  // All guarded by this.
  private final Deque<Function<PlanModel, List<PlanMessage>>> changes = new ArrayDeque<>();
  private final Map<StageId, Ends> ends = new HashMap<>();
  private final Deque<Read> reads = new ArrayDeque<>();
  private long readBytes;
  private boolean closed;

  /** Drops what waits and all that is added from now on: nobody takes it any more. */
  synchronized void close() {
    closed = true;
    changes.clear();
    ends.clear();
    reads.clear();
    readBytes = 0;
  }

  /** Adds a change, or drops it if it is a {@link Read} and there are too many of these. */
  synchronized void add(Function<PlanModel, List<PlanMessage>> change) {
    if (closed) {
      return;
    }
    if (change instanceof TaskEnd end) {
      addEnd(end);
    } else if (change instanceof Read read) {
      addRead(read);
    } else {
      if (change instanceof TaskAgain again) {
        ends.remove(again.stage); // What ends from now on, ends behind it.
      }
      changes.add(change);
    }
    notifyAll();
  }

  private void addEnd(TaskEnd end) {
    Ends waiting = ends.get(end.stage);
    if (waiting == null) {
      // Behind the stage's beginning, which was there before one of its tasks could end.
      waiting = new Ends(end.stage, new BitSet());
      ends.put(end.stage, waiting);
      changes.add(waiting);
    }
    waiting.partitions.set(end.partition);
  }

  private void addRead(Read read) {
    long bytes = read.bytes();
    if (readBytes + bytes <= READ_BYTES) {
      readBytes += bytes;
      reads.add(read);
    }
  }

  /** The next change, or null when there is none for so long; zero does not wait. */
  synchronized @Nullable Function<PlanModel, List<PlanMessage>> take(Duration atMost)
      throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (isEmpty()) {
      long millis = (deadline - System.nanoTime() + 999_999) / 1_000_000;
      if (millis <= 0) {
        return null;
      }
      wait(millis);
    }
    var change = changes.poll();
    if (change instanceof Ends taken) {
      ends.remove(taken.stage, taken);
    }
    return change == null ? takeRead() : change;
  }

  private @Nullable Read takeRead() {
    Read read = reads.poll();
    readBytes -= read == null ? 0 : read.bytes();
    return read;
  }

  synchronized boolean isEmpty() {
    return changes.isEmpty() && reads.isEmpty();
  }
}
