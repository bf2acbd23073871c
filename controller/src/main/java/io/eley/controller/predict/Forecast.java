package io.eley.controller.predict;

/**
 * When an application's next phase is expected. Times are nanoseconds of the coordinator's
 * monotonic clock.
 *
 * @param application whose phase it is
 * @param guardFrom from here on the phase may begin at any time
 * @param onset most likely begin
 * @param lateUntil if it has not come by then the forecast was wrong
 * @param lengthNanos how long it will last
 * @param confidence 0 to 1
 */
public record Forecast(
    String application,
    long guardFrom,
    long onset,
    long lateUntil,
    long lengthNanos,
    double confidence) {
  /** Whether the guard interval has begun and the phase is not overdue yet. */
  boolean covers(long now) {
    return now - guardFrom >= 0 && now - lateUntil <= 0;
  }
}
