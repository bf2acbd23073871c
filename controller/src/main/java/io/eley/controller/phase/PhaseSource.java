package io.eley.controller.phase;

import java.util.List;
import java.util.Optional;

/**
 * The port to a source that knows of HPC I/O phases. Used by one thread; never blocks. Times are
 * nanoseconds of one monotonic clock, the same for all calls.
 *
 * <p>Only {@link #expire}, and the methods by which a source learns something, notify its listener;
 * questions change nothing.
 */
public interface PhaseSource {
  /** What kind of source it is. */
  SourceKind kind();

  /** Closes the phases whose time is over, and notifies the listener of each. */
  void expire(long now);

  /**
   * The phases that are open, as of the last {@link #expire}.
   *
   * @return each application once, in the order of their names
   */
  List<Evidence> openPhases(long now);

  /**
   * Whether it has seen I/O of the application in an interval that began at this time or later;
   * never for a source of announcements.
   */
  default boolean busyAfter(String application, long time) {
    return false;
  }

  /** Bytes a second that an application moves, as far as the source sees bytes and is fresh. */
  default Optional<Double> bytesPerSecond(String application, long now) {
    return Optional.empty();
  }

  /** The health of the source itself. */
  SourceHealth health(long now);
}
