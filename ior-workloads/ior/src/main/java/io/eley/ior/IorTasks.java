package io.eley.ior;

import java.io.IOException;
import java.util.List;

/** The tasks of a run, as threads or as processes. */
interface IorTasks extends AutoCloseable {
  /**
   * Runs one phase with all tasks at once and waits for the last.
   *
   * @return the tasks' times, by rank
   * @throws IOException of the first task that failed; the others have been cancelled
   */
  List<TaskTimes> phase(PhaseOrder order) throws IOException;

  /** Ends a running phase soon, with an error. Does not wait. May be called by any thread. */
  void cancel();

  @Override
  void close();
}
