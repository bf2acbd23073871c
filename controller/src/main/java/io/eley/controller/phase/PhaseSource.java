package io.eley.controller.phase;

import java.util.List;

/** The port to whatever knows about HPC I/O phases. Asked often, by one thread; never blocks. */
public interface PhaseSource {
  /** One word for logs and reports. */
  String name();

  /**
   * The phases that are open.
   *
   * @param now nanoseconds of a monotonic clock, the same for all calls
   * @return each application once, in the order of their names
   */
  List<Evidence> openPhases(long now);

  /** How the source itself is. */
  SourceHealth health(long now);
}
