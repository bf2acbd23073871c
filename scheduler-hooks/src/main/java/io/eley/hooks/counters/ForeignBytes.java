package io.eley.hooks.counters;

import io.eley.hooks.signal.Sighting;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Foreign = total − ours. The total of an interval comes from the file system, ours from what the
 * nodes say; neither clock is exact and a server may count a request when it ends. So as much of
 * ours is taken away as may have been moved in the interval widened by {@code slack} at both ends,
 * and a tenth more: our own traffic alone never looks foreign, and foreign traffic looks smaller
 * than it is by at most that tenth and what we move in twice the slack.
 *
 * <p>A total waits until every node has been heard of after the interval, but not for longer than
 * {@code patience}; then what is missing is taken to go on as it was.
 *
 * <p>Not thread-safe: one thread owns it. Times are nanoseconds of the coordinator's monotonic
 * clock.
 */
public final class ForeignBytes {
  private static final int KEPT = 256;

  /** Between two words of a node our traffic need not have been even. */
  private static final double MARGIN = 1.1;

  private record Point(long at, long bytes) {}

  private final long slack;
  private final long patience;
  private final Map<String, Deque<Point>> ours = new HashMap<>();
  private final Deque<Sighting> totals = new ArrayDeque<>();

  /** Nothing is known of us or of others. */
  public ForeignBytes(Duration slack, Duration patience) {
    this.slack = slack.toNanos();
    this.patience = patience.toNanos();
  }

  /** A node has told what it has moved since its start. */
  public void heard(String node, long bytes, long now) {
    Deque<Point> curve = ours.computeIfAbsent(node, n -> new ArrayDeque<>());
    if (!curve.isEmpty() && bytes < curve.getLast().bytes / 2) {
      curve.clear(); // it has begun anew
    } else if (!curve.isEmpty() && bytes < curve.getLast().bytes) {
      return; // another message has overtaken this one
    }
    curve.add(new Point(now, bytes));
    if (curve.size() > KEPT) {
      curve.remove();
    }
  }

  /** A node has left. */
  public void gone(String node) {
    ours.remove(node);
  }

  /** Everybody's bytes. */
  public void total(Sighting total) {
    totals.add(total);
  }

  /** Whether an interval waits for what our nodes say of it; they are asked {@code slack} later. */
  public boolean waits() {
    return !totals.isEmpty();
  }

  /** The intervals that can be told now, with foreign bytes alone. */
  public List<Sighting> ready(long now) {
    var ready = new ArrayList<Sighting>();
    for (Iterator<Sighting> each = totals.iterator(); each.hasNext(); ) {
      Sighting total = each.next();
      long until = total.to() + slack;
      boolean heard = ours.values().stream().allMatch(c -> c.getLast().at - until >= 0);
      if (heard || now - until > patience) {
        each.remove();
        long own = (long) (MARGIN * ours(total.from() - slack, until));
        ready.add(
            new Sighting(
                total.application(),
                total.from(),
                total.to(),
                Math.max(0, total.bytes() - own),
                total.said()));
      }
    }
    return ready;
  }

  /** What all nodes have moved between two moments. */
  public long ours(long from, long to) {
    double sum = 0;
    for (Deque<Point> curve : ours.values()) {
      sum += Math.max(0, at(curve, to) - at(curve, from));
    }
    return (long) Math.ceil(sum);
  }

  /**
   * By straight lines between the points, and on from the last as it was before. Looks from the
   * newest on, since that is what is asked for.
   */
  private static double at(Deque<Point> curve, long time) {
    Point after = null;
    Iterator<Point> newestFirst = curve.descendingIterator();
    while (newestFirst.hasNext()) {
      Point point = newestFirst.next();
      if (point.at - time < 0) {
        if (after != null) {
          return between(point, after, time);
        }
        return newestFirst.hasNext() ? between(newestFirst.next(), point, time) : point.bytes;
      }
      after = point;
    }
    return after == null ? 0 : after.bytes;
  }

  private static double between(Point a, Point b, long time) {
    return a.bytes + (double) (b.bytes - a.bytes) * (time - a.at) / Math.max(1, b.at - a.at);
  }
}
