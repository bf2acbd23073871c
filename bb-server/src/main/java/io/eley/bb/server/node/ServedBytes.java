package io.eley.bb.server.node;

import java.util.concurrent.atomic.LongAdder;

/** Bytes that clients have got from this node. Safe for several threads. */
final class ServedBytes {
  private final LongAdder served = new LongAdder();
  private final LongAdder hits = new LongAdder();

  /**
   * Counts an answer.
   *
   * @param hit whether the bytes were in RAM when they were asked for
   */
  void count(long bytes, boolean hit) {
    served.add(bytes);
    if (hit) {
      hits.add(bytes);
    }
  }

  long served() {
    return served.sum();
  }

  long hits() {
    return hits.sum();
  }
}
