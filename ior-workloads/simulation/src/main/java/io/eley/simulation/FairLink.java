package io.eley.simulation;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * A capacity that all requests under way share equally, none faster than its own limit: processor
 * sharing, as the emulated PFS does it request by request.
 *
 * <p>All have the same rate {@code r = min(limit, capacity / n)}, so a virtual clock that runs at
 * {@code r} bytes a second orders the ends: a request of {@code b} bytes that begins at {@code V}
 * ends at {@code V + b}. A stream of weight {@code w} has {@code w} times that rate. Each event
 * costs O(log n). Example: capacity 100, limit 60, one request of 60 bytes at 0 s; a second of 100
 * at 0.5 s. The first has moved 30 by then, the rest at 50 a second: it ends at 1.1 s; the second
 * has 30 then, goes on at 60, and ends at 2.27 s.
 */
final class FairLink {
  private record Request(double end, long number, double weight, Runnable done) {}

  private final Agenda agenda;
  private final double capacity;
  private final double limit;
  private final PriorityQueue<Request> requests =
      new PriorityQueue<>(
          Comparator.comparingDouble(Request::end).thenComparingLong(Request::number));
  private double weights;
  private double virtual;
  private long updatedAt;
  private long numbers;
  private long generation;

  /**
   * A link.
   *
   * @param capacity bytes per second of all requests together
   * @param limit bytes per second of one request
   */
  FairLink(Agenda agenda, double capacity, double limit) {
    this.agenda = agenda;
    this.capacity = capacity;
    this.limit = limit;
  }

  /** A way on which each request takes some time before it shares the link. */
  Mount after(long latencyNanos) {
    return (file, range, done) -> agenda.after(latencyNanos, () -> move(range.length(), done));
  }

  /** A way whose streams count for less, see {@link #move(long, double, Runnable)}. */
  Mount weighing(double weight) {
    return (file, range, done) -> move(range.length(), weight, done);
  }

  /** Moves bytes, beginning now; says so when they are through. */
  void move(long bytes, Runnable done) {
    move(bytes, 1, done);
  }

  /**
   * The same for a stream that counts for less.
   *
   * @param weight its share and its limit, relative to a stream of weight 1
   */
  void move(long bytes, double weight, Runnable done) {
    catchUp();
    requests.add(new Request(virtual + bytes / weight, numbers++, weight, done));
    weights += weight;
    schedule();
  }

  /** Requests under way. */
  int load() {
    return requests.size();
  }

  /** Bytes that a stream of weight 1 would have moved by now had it never paused. */
  double progress() {
    catchUp();
    return virtual;
  }

  /** Seconds that a number of equal requests take, alone on the link. */
  double secondsAlone(int streams, long bytesOfEach) {
    return bytesOfEach / Math.min(limit, capacity / streams);
  }

  /** The rate of a stream of weight 1. */
  private double rate() {
    return requests.isEmpty() ? limit : Math.min(limit, capacity / weights);
  }

  private void catchUp() {
    long now = agenda.now();
    if (!requests.isEmpty()) {
      virtual += rate() * (now - updatedAt) / 1e9;
    }
    updatedAt = now;
  }

  private void schedule() {
    Request first = requests.peek();
    if (first == null) {
      return;
    }
    long mine = ++generation;
    long nanos = (long) Math.ceil(Math.max(0, first.end() - virtual) / rate() * 1e9);
    agenda.after(
        nanos,
        () -> {
          if (mine == generation) {
            finish();
          }
        });
  }

  /** Half a byte of rounding is nobody's business. */
  private void finish() {
    catchUp();
    while (true) {
      Request first = requests.peek();
      if (first == null || first.end() > virtual + 0.5) {
        break;
      }
      requests.poll();
      weights = requests.isEmpty() ? 0 : weights - first.weight();
      first.done().run();
      catchUp();
    }
    schedule();
  }
}
