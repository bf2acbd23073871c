package io.eley.coordinator.live;

import io.eley.coordinator.live.LiveDocument.Point;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The traffic of the last minutes, a point a second. Not thread-safe: the agent owns it. */
final class TrafficRing {
  /** Five minutes: what people remember, and 300 points of a chart. */
  static final int POINTS = 300;

  private final Deque<Point> points = new ArrayDeque<>(POINTS);

  /** Adds a point; the oldest gives way. One that is not after the last is dropped. */
  void add(Point point) {
    if (!points.isEmpty() && point.at() <= points.getLast().at()) {
      return; // The time of day was set back: what has been drawn stays as it is.
    }
    if (points.size() == POINTS) {
      points.remove();
    }
    points.add(point);
  }

  /** All of them, the oldest first. */
  List<Point> all() {
    return List.copyOf(points);
  }
}
