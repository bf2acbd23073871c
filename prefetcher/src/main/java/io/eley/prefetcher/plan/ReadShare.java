package io.eley.prefetcher.plan;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * How much of what was planned for them the tasks of one stage really read, and whether prefetching
 * for its other tasks is worth it. A query that stops early, a filter that skips pages, a format
 * that nobody here knows: all show in what the first tasks have read.
 *
 * <p>The plan is believed until {@link #FIRST} tasks have told what they read, and then as long as
 * the last {@link #LAST} of them read {@link #LEAST} of what was planned. Of a stage that is
 * <em>tentative</em> nothing is believed before one of its tasks has told so.
 *
 * <p>Not thread-safe.
 */
final class ReadShare {
  /** What is prefetched may be a twentieth more than what is read: 1 / 1.05. */
  static final double LEAST = 0.95;

  /** One task alone may be an odd one, such as that of a file's end. */
  static final int FIRST = 2;

  static final int LAST = 16;

  /** What the plan of the other tasks is worth. */
  enum Trust {
    /** Nothing is prefetched. */
    NONE,
    /** Nobody has told enough yet: what is needed next is prefetched, and no more. */
    BELIEVED,
    /** Tasks have read what was planned for them. */
    CONFIRMED
  }

  private record Told(long planned, long read) {}

  private final Deque<Told> last = new ArrayDeque<>(LAST);
  private boolean tentative;
  private long planned;
  private long read;

  /** Nothing is prefetched any more until a task has read what was planned for it. */
  void makeTentative() {
    tentative = true;
  }

  /**
   * Notes what a task has read.
   *
   * @param plannedBytes that were planned for it; a task without any tells nothing
   * @param readBytes of these
   */
  void note(long plannedBytes, long readBytes) {
    if (plannedBytes == 0) {
      return;
    }
    add(new Told(plannedBytes, readBytes), 1);
    last.addLast(new Told(plannedBytes, readBytes));
    if (last.size() > LAST) {
      add(last.removeFirst(), -1);
    }
  }

  private void add(Told told, int times) {
    planned += times * told.planned;
    read += times * told.read;
  }

  /** Whether what is planned for the other tasks is worth prefetching. */
  Trust trust() {
    if (last.size() < (tentative ? 1 : FIRST)) {
      return tentative ? Trust.NONE : Trust.BELIEVED;
    }
    if (read < LEAST * planned) {
      return Trust.NONE;
    }
    return last.size() < FIRST ? Trust.BELIEVED : Trust.CONFIRMED;
  }

  /** Why nothing is prefetched for the other tasks; empty when it is. */
  Optional<BlockFacts.Unread> reason() {
    return trust() == Trust.NONE
        ? Optional.of(
            new BlockFacts.Unread(last.size(), planned == 0 ? 0 : (int) (100 * read / planned)))
        : Optional.empty();
  }
}
