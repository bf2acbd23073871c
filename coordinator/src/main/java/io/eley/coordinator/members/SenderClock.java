package io.eley.coordinator.members;

import java.time.Duration;

/**
 * When something was sent, by our clock, told by the sender's: the least time that a message of it
 * has taken of late is taken for the way, and what one took longer for waiting (the base delay of
 * RFC 6817, LEDBAT, section 3). A busy machine, or a coordinator that was, then moves no bytes into
 * a phase that began after them.
 *
 * <p>Not thread-safe. Times are nanoseconds of monotonic clocks, of which each has its own origin.
 */
final class SenderClock {
  /** Clocks drift by up to some 50 millionths: by 3 ms in this time. */
  private static final long WINDOW = Duration.ofMinutes(1).toNanos();

  private long windowBegan;
  private long least;
  private long leastBefore;
  private boolean any;

  /**
   * Notes a message.
   *
   * @param sent by the sender's clock
   * @param received by ours
   * @return when it was sent, by ours: not after it was received
   */
  long sentAt(long sent, long received) {
    long difference = received - sent;
    if (!any) {
      any = true;
      windowBegan = received;
      least = difference;
      leastBefore = difference;
    } else if (received - windowBegan >= WINDOW) {
      windowBegan = received;
      leastBefore = least;
      least = difference;
    } else {
      least = smaller(least, difference);
    }
    return sent + smaller(smaller(least, leastBefore), difference);
  }

  /** Of two differences of clocks that may have wrapped around. */
  private static long smaller(long a, long b) {
    return a - b < 0 ? a : b;
  }
}
