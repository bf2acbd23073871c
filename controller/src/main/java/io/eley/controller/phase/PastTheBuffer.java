package io.eley.controller.phase;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * What clients have read past the buffer, all together, as they report it. Unlike nodes they are
 * not asked: a client asks before its first byte, and again four times a second while it reads. So
 * what was read by some moment has been reported {@code LAG} later, and what is reported was read
 * before: that bounds from above what they moved in an interval.
 *
 * <p>Not thread-safe. Times are nanoseconds of the coordinator's monotonic clock.
 */
final class PastTheBuffer {
  /** A report is due every 250 ms; the rest is its way, and a busy machine. */
  private static final long LAG = Duration.ofMillis(500).toNanos();

  /** Thousands of clients may report: what comes within this time is one report. */
  private static final long SLOT = Duration.ofMillis(20).toNanos();

  private static final int KEPT = 1000;

  private record Report(long heard, long bytes) {}

  private final Deque<Report> reports = new ArrayDeque<>();
  private long forgotten;
  private long newest;

  /** Takes a report: bytes since the start, by all clients. */
  void observe(long bytes, long now) {
    newest = now;
    // The end of the slot: the beginning would make bytes known before they were reported.
    long slot = Math.floorDiv(now + SLOT - 1, SLOT) * SLOT;
    if (!reports.isEmpty() && reports.getLast().heard == slot) {
      reports.removeLast();
    }
    reports.add(new Report(slot, bytes));
    if (reports.size() > KEPT) {
      forgotten = reports.remove().bytes;
    }
  }

  /** Whether all that was read until then has been reported. */
  boolean complete(long until, long now) {
    return reports.isEmpty() || now - until >= LAG || now - newest >= 2 * LAG;
  }

  /** Bytes that may have been read between two moments, at most. */
  long mayHaveMoved(long from, long to) {
    return by(to + LAG) - by(from);
  }

  /** Bytes that were reported between two moments. */
  long reported(long from, long to) {
    return by(to) - by(from);
  }

  private long by(long time) {
    for (Iterator<Report> newestFirst = reports.descendingIterator(); newestFirst.hasNext(); ) {
      Report report = newestFirst.next();
      if (report.heard - time <= 0) {
        return report.bytes;
      }
    }
    return forgotten;
  }
}
