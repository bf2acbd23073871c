package io.eley.ior;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * What one task does in one phase: open, transfer everything, close. Runs on the task's own thread
 * and blocks.
 */
final class IorTask {
  private final IorOptions options;
  private final IorTarget target;
  private final int rank;

  IorTask(IorOptions options, IorTarget target, int rank) {
    this.options = options;
    this.target = target;
    this.rank = rank;
  }

  TaskTimes run(IorOperation operation) throws IOException {
    boolean write = operation == IorOperation.WRITE;
    ByteBuffer buffer = pattern();
    long openStart = System.nanoTime();
    long openEnd;
    long transferEnd;
    long[] busy = {0};
    try (var file = target.open(options.fileOf(rank), write)) {
      openEnd = System.nanoTime();
      transfer(file, write, buffer, busy);
      if (write && options.access().sync()) {
        file.sync();
      }
      transferEnd = System.nanoTime();
    }
    long transfers = options.taskBytes() / options.transfer().bytes();
    return new TaskTimes(openStart, openEnd, transferEnd, System.nanoTime(), busy[0], transfers);
  }

  private void transfer(IorTarget.IorFile file, boolean write, ByteBuffer buffer, long[] busy)
      throws IOException {
    for (int segment = 0; segment < options.segments(); segment++) {
      long begin = options.offsetOf(rank, segment);
      for (long at = 0; at < options.block().bytes(); at += buffer.capacity()) {
        long before = System.nanoTime();
        buffer.clear();
        if (write) {
          file.write(buffer, begin + at);
        } else {
          file.read(buffer, begin + at);
        }
        busy[0] += System.nanoTime() - before;
      }
    }
  }

  /** The rank in every word, so that a file shows whose bytes it holds. */
  private ByteBuffer pattern() {
    var buffer = ByteBuffer.allocateDirect(options.transfer().intBytes());
    while (buffer.remaining() >= Long.BYTES) {
      buffer.putLong(rank);
    }
    return buffer;
  }
}
