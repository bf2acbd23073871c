package io.eley.laboratory;

import java.time.Duration;
import java.util.ArrayDeque;

/**
 * Both sides' bytes per second over the last moments. Worked example: of a window of 1 s in which
 * three grants of 1 MiB to us and one to the HPC application lie, 3 MiB/s and 1 MiB/s. Pure; for
 * one thread.
 */
final class RateWindow {
  private record Grant(long epochMicros, long bytes, boolean hpc) {}

  private final ArrayDeque<Grant> grants = new ArrayDeque<>();
  private final long widthMicros;

  RateWindow(Duration width) {
    this.widthMicros = width.toNanos() / 1000;
  }

  /** Takes a grant; they come in about the order of their times. */
  void add(long epochMicros, long bytes, boolean hpc) {
    grants.add(new Grant(epochMicros, bytes, hpc));
  }

  /** The rates of the window that ends now; what lies before it is forgotten. */
  RunSight.Rates at(long epochMicros) {
    grants.removeIf(grant -> grant.epochMicros() <= epochMicros - widthMicros);
    double seconds = widthMicros / 1e6;
    long hpc = grants.stream().filter(Grant::hpc).mapToLong(Grant::bytes).sum();
    long all = grants.stream().mapToLong(Grant::bytes).sum();
    return new RunSight.Rates((all - hpc) / seconds, hpc / seconds);
  }
}
