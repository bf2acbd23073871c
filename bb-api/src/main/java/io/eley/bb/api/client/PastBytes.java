package io.eley.bb.api.client;

/**
 * What a client has moved past the buffer, and when, so that the ledger can tell what of it fell
 * into a phase: a read that ends in a phase has moved some of its bytes before. Times are
 * nanoseconds of {@link System#nanoTime}.
 *
 * <p>Not thread-safe.
 */
final class PastBytes {
  /**
   * A report.
   *
   * @param bytes moved altogether
   * @param answered those of them that a coordinator knows of already
   * @param at when this was counted
   * @param age how long before that the others moved, on average
   * @param moments of them, see {@link PastBytes#moments}
   */
  record Report(long bytes, long answered, long at, long age, double moments) {}

  private final long epoch = System.nanoTime();
  private long bytes;
  private long answered;

  /** Each byte that is not answered times the nanoseconds from the epoch to when it moved. */
  private double moments;

  /** Counts bytes that have moved evenly between two moments. */
  void count(int moved, long begun, long ended) {
    bytes += moved;
    moments += moved * ((ended - epoch) - (ended - begun) / 2.0);
  }

  Report report(long now) {
    long open = bytes - answered;
    long age = open == 0 ? 0 : Math.round((now - epoch) - moments / open);
    return new Report(bytes, answered, now, Math.max(0, age), moments);
  }

  /** Notes that a report has been answered. */
  void answered(Report report) {
    if (report.bytes > answered) {
      answered = report.bytes;
      moments -= report.moments;
    }
  }

  boolean unanswered() {
    return bytes > answered;
  }
}
