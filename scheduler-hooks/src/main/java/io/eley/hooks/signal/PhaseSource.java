package io.eley.hooks.signal;

import java.util.List;

/** The port to whatever knows about HPC I/O phases. Asked often, by one thread; never blocks. */
public interface PhaseSource {
  /**
   * The phases that are open.
   *
   * @param now nanoseconds of a monotonic clock, the same for all calls
   * @return names of the HPC applications that are in a phase now, in order, each once
   */
  List<String> openPhases(long now);
}
