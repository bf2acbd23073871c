package io.eley.spark.connector.fs;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

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
   * An empty buffer, whose taker may give it back.
   *
   * @throws OutOfMemoryError when the JVM gives no more direct memory
   */
  ByteBuffer take() {
    ByteBuffer known;
    synchronized (idle) {
      known = idle.poll();
    }
    return known == null ? ByteBuffer.allocateDirect(size) : known.clear();
  }

  /** Takes a buffer back that nobody touches any more. */
  void give(ByteBuffer buffer) {
    synchronized (idle) {
      if (idle.size() < most) {
        idle.push(buffer);
      }
    }
  }
}
