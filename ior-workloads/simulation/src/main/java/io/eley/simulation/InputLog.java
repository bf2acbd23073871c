package io.eley.simulation;

import io.eley.bb.api.NodeId;
import io.eley.controller.loop.Moved;
import io.eley.controller.phase.Sighting;
import java.time.Duration;
import java.util.List;

/**
 * Is notified of every input of a coordinator's control loop but time, so that the history can be
 * played to another composition of the same loop. Times are nanoseconds since the beginning of the
 * run.
 */
public interface InputLog {
  /** Keeps nothing. */
  InputLog NONE = new InputLog() {};

  default void registered(long at, NodeId node, long capacityBytes) {}

  default void confirmed(long at, NodeId node, long sequence, Moved moved) {}

  default void heard(long at, NodeId node) {}

  default void began(long at, String application, Duration lease) {}

  default void ended(long at, String application) {}

  default void accounted(long at, List<Sighting> sightings) {}

  /** The run has ended. */
  default void over(long at) {}
}
