package io.eley.coordinator.drivers;

/**
 * What the tasks of one application have told of their reads through the buffer.
 *
 * @param tasks that have told
 * @param bytes that they read
 * @param waitedNanos for which they waited for them, all together
 */
public record TaskReads(long tasks, long bytes, long waitedNanos) {
  /** Before the first task. */
  public static final TaskReads NONE = new TaskReads(0, 0, 0);

  TaskReads plus(long taskBytes, long taskWaitedNanos) {
    return new TaskReads(tasks + 1, bytes + taskBytes, waitedNanos + taskWaitedNanos);
  }
}
