package io.eley.emulated.pfs;

import java.util.List;

/**
 * A stretch of the record of grants.
 *
 * @param first sequence number of the first event here, counted from zero at the start of the
 *     process
 * @param recorded how many grants the process had recorded when it was asked: the sequence number
 *     of the next one
 * @param events in the order of their recording
 */
public record PfsTrace(long first, long recorded, List<PfsEvent> events) {
  public PfsTrace {
    events = List.copyOf(events);
  }

  /** The sequence number after the last event here. */
  public long next() {
    return first + events.size();
  }
}
