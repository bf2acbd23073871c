package io.eley.bb.server.fetch;

/**
 * How many reads are under way, on average over any stretch of time. Safe for several threads.
 * Times are nanoseconds of {@link System#nanoTime}.
 */
final class LoadMeter {
  private int underWay;
  private double area;
  private long at;

  /** A read's begin. */
  record Begin(long at, double area) {}

  /** A read begins. */
  synchronized Begin begin(long now) {
    advance(now);
    underWay++;
    return new Begin(now, area);
  }

  /**
   * A read is over.
   *
   * @return how many were under way meanwhile, at least 1
   */
  synchronized double end(Begin begin, long now) {
    advance(now);
    double mean = now - begin.at <= 0 ? underWay : (area - begin.area) / (now - begin.at);
    underWay--;
    return Math.max(1, mean);
  }

  private void advance(long now) {
    area += underWay * (double) Math.max(0, now - at);
    at = Math.max(at, now);
    if (underWay == 0) {
      at = now;
      area = 0; // so that sums stay small and exact
    }
  }
}
