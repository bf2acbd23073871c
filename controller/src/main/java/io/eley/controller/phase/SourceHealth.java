package io.eley.controller.phase;

import java.time.Duration;

/**
 * The health of a source.
 *
 * @param source its name
 * @param state whether it can be relied on
 * @param age of its last good report; zero for a source of announcements, and before the first
 *     report
 * @param message its last error; empty when there is none
 */
public record SourceHealth(String source, State state, Duration age, String message) {
  /** Whether a source can be relied on. */
  public enum State {
    /** It reports. */
    FRESH,
    /** It used to report and does not any more. */
    LOST,
    /** It has never reported: what it reads does not exist, or may not be read. */
    ABSENT
  }
}
