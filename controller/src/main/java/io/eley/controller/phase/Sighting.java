package io.eley.controller.phase;

/**
 * What a source saw of one application in one interval.
 *
 * @param application its name, or {@link Evidence#SOMEBODY}
 * @param from begin of the interval, nanoseconds of the coordinator's monotonic clock
 * @param to end of it
 * @param bytes that the application moved in it
 * @param said whether it is known to be in a phase whatever its bytes: the application reports it
 *     itself, or a detector does
 * @param confidence of this sighting alone, 0 to 1; that of its source is multiplied by it
 */
public record Sighting(
    String application, long from, long to, long bytes, boolean said, double confidence) {
  public Sighting {
    if (to < from || bytes < 0) {
      throw new IllegalArgumentException("no interval, or no bytes: " + from + ".." + to);
    }
    if (!(confidence >= 0 && confidence <= 1)) {
      throw new IllegalArgumentException("a confidence is from 0 to 1: " + confidence);
    }
  }

  /** As sure as its source. */
  public Sighting(String application, long from, long to, long bytes, boolean said) {
    this(application, from, to, bytes, said, 1);
  }

  /** Bytes a second; 0 for an interval of no length. */
  public double bytesPerSecond() {
    return to == from ? 0 : bytes * 1e9 / (to - from);
  }
}
