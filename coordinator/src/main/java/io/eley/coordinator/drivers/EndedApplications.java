package io.eley.coordinator.drivers;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Applications that ended lately, for nodes that were away then. Bounded twice: by number, since
 * names come from outside, and by age. One that begins again is none of them. The agent owns it.
 */
final class EndedApplications {
  static final int MOST = 1000;

  /** Longer than a node is away that comes back. */
  static final Duration REMEMBERED = Duration.ofMinutes(10);

  /** The oldest first, with the time at which each ended. */
  private final Map<String, Long> ended = new LinkedHashMap<>();

  void add(String application, long now) {
    ended.remove(application);
    ended.put(application, now);
    if (ended.size() > MOST) {
      ended.remove(ended.keySet().iterator().next());
    }
  }

  /** It has begun again. */
  void remove(String application) {
    ended.remove(application);
  }

  /** Those that ended lately, the oldest first. */
  List<String> all(long now) {
    ended.values().removeIf(at -> now - at >= REMEMBERED.toNanos());
    return List.copyOf(ended.keySet());
  }
}
