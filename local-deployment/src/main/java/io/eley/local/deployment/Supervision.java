package io.eley.local.deployment;

import java.time.Duration;

/**
 * How processes belong to the one that starts them.
 *
 * @param detached whether they outlive it and its terminal session; otherwise they end when it
 *     does, however that ends
 * @param startPatience how long each step of the start may take
 */
public record Supervision(boolean detached, Duration startPatience) {
  private static final Duration START_PATIENCE = Duration.ofSeconds(60);

  /** Processes of their own, as {@code eley start} makes them. */
  public static Supervision outlivingUs() {
    return new Supervision(true, START_PATIENCE);
  }

  /** Processes that leave nothing behind when this one is killed, for experiments. */
  public static Supervision endingWithUs() {
    return new Supervision(false, START_PATIENCE);
  }
}
