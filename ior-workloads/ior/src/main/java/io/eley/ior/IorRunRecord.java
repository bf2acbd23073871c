package io.eley.ior;

import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * A run with what surrounds it in an output.
 *
 * @param options what was asked for
 * @param commandLine as typed
 * @param began when
 * @param finished when
 * @param machine where
 * @param result what came out
 */
record IorRunRecord(
    IorOptions options,
    String commandLine,
    ZonedDateTime began,
    ZonedDateTime finished,
    Machine machine,
    IorResult result) {
  private static final DateTimeFormatter CTIME =
      DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.ROOT);

  String beganText() {
    return CTIME.format(began);
  }

  String finishedText() {
    return CTIME.format(finished);
  }

  /** A time of day as C's ctime writes it, in the zone of this run. */
  String timeText(long epochMicros) {
    return CTIME.format(
        java.time.Instant.ofEpochSecond(epochMicros / 1_000_000).atZone(began.getZone()));
  }

  /** {@code Machine} as the level of {@code -v} has it. */
  String machineText() {
    return options.verbose() >= 2 ? machine.longName() : machine.shortName();
  }
}
