package io.eley.spark.connector.fs;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Direct buffers of one size for streams that have a fill on its way. To make one costs as much as
 * to fill it, and the JVM frees it late, so a few are kept. Safe for several threads.
 */
final class FillBuffers {
  private final int size;
  private final int most;
  private final Deque<ByteBuffer> idle = new ArrayDeque<>();

  /**
   * Keeps none yet.
   *
   * @param size of each, in bytes
   * @param most that are kept while nobody uses them
   */
  FillBuffers(int size, int most) {
    this.size = size;
    this.most = most;
  }

  /**
   * An empty buffer.
   *
   * @throws OutOfMemoryError when the JVM gives no more direct memory
   */
  Lent take() {
    ByteBuffer known;
    synchronized (idle) {
      known = idle.poll();
    }
    return new Lent(known == null ? ByteBuffer.allocateDirect(size) : known.clear());
  }

  /**
   * A buffer until it is given back, which counts once, however often and on whatever threads it is
   * done: a buffer that were kept twice would have two streams' bytes.
   */
  final class Lent {
    private final ByteBuffer buffer;
    private final AtomicBoolean given = new AtomicBoolean();

    private Lent(ByteBuffer buffer) {
      this.buffer = buffer;
    }

    ByteBuffer buffer() {
      return buffer;
    }

    /** Gives it back; nobody touches the buffer any more. */
    void give() {
      if (!given.compareAndSet(false, true)) {
        return;
      }
      synchronized (idle) {
        if (idle.size() < most) {
          idle.push(buffer);
        }
      }
    }
  }
}
