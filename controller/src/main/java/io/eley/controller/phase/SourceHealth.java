package io.eley.controller.phase;

import java.time.Duration;

/**
 * How a source is.
 *
 * @param source its name
 * @param state whether it can be relied on
 * @param age of its last good word; zero for a source that is told, and before the first
 * @param message what it last complained of; empty when nothing
 */
public record SourceHealth(String source, State state, Duration age, String message) {
  /** Whether a source can be relied on. */
  public enum State {
    /** It speaks. */
    FRESH,
    /** It used to speak and does not any more. */
    LOST,
    /** It has never spoken: what it reads is not there, or may not be read. */
    ABSENT
  }
}
