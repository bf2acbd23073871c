package io.eley.coordinator.drivers;

/**
 * What the tasks of one application have told of their reads through the buffer.
 *
 * @param tasks that have told
 * @param bytes that they read
 * @param waitedNanos for which they waited for them, all together
 */
public record ReadTotals(long tasks, long bytes, long waitedNanos) {
  /** Before the first task. */
  public static final ReadTotals NONE = new ReadTotals(0, 0, 0);

  ReadTotals plus(long taskBytes, long taskWaitedNanos) {
    return new ReadTotals(tasks + 1, bytes + taskBytes, waitedNanos + taskWaitedNanos);
  }
}
