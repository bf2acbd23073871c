package io.eley.bb.api.origin;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Names of users, or of groups, by their numbers. The system finds a name by reading {@code
 * /etc/passwd} or by asking a directory service, for each file anew; a few names own all files of
 * an origin. An account that is renamed has its old name for {@link #LIFETIME}.
 *
 * <p>Safe for several threads; nothing blocks.
 */
final class NamesByNumber {
  static final int MOST = 1024;
  static final Duration LIFETIME = Duration.ofMinutes(1);

  private final LongSupplier nanoClock;

  /** In the order in which they were noted. */
  private final Map<Integer, Known> names = new LinkedHashMap<>();

  private record Known(String name, long notedAt) {}

  /**
   * Knows none yet.
   *
   * @param nanoClock as {@link System#nanoTime}
   */
  NamesByNumber(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** The name, unless it is to be asked for anew. */
  synchronized Optional<String> of(int number) {
    Known known = names.get(number);
    return known == null || nanoClock.getAsLong() - known.notedAt >= LIFETIME.toNanos()
        ? Optional.empty()
        : Optional.of(known.name);
  }

  /** Notes what the system has said just now; the name that was noted first makes room. */
  synchronized void note(int number, String name) {
    names.remove(number);
    names.put(number, new Known(name, nanoClock.getAsLong()));
    if (names.size() > MOST) {
      names.remove(names.keySet().iterator().next());
    }
  }
}
