package io.eley.prefetcher.control;

import io.eley.bb.api.Permit.Lane;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What happens, during a hold, to reads that a task is waiting for and that are not in RAM. */
public enum DemandPolicy {
  /** They wait too; the phase is as if alone. After {@code eley.delay.max} they go on capped. */
  WAIT,
  /** They go on at the capped rate from the beginning: tasks never stand still. */
  CAPPED,
  /** They go on unhindered: only prefetching is held. */
  PASS;

  /**
   * The demand lane of a hold.
   *
   * @param heldFor how long the hold has lasted
   * @param delayMax for how long {@link #WAIT} waits
   * @param capped the lane at the capped rate
   */
  Lane lane(Duration heldFor, Duration delayMax, Lane capped) {
    return switch (this) {
      case PASS -> Lane.OPEN;
      case CAPPED -> capped;
      case WAIT -> heldFor.compareTo(delayMax) < 0 ? Lane.CLOSED : capped;
    };
  }

  /** The policy's name in options and reports. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The policy of that label, in any letter case.
   *
   * @throws IllegalArgumentException naming the labels there are
   */
  public static DemandPolicy of(String label) {
    return Arrays.stream(values())
        .filter(p -> p.label().equalsIgnoreCase(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no policy '"
                        + label
                        + "'; there are "
                        + Arrays.stream(values())
                            .map(DemandPolicy::label)
                            .collect(Collectors.joining(", "))));
  }
}
