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
 * @param result what came out
 */
record IorRunRecord(
    IorOptions options,
    String commandLine,
    ZonedDateTime began,
    ZonedDateTime finished,
    IorResult result) {
  /** Says whose output it is; IOR prints its release here. */
  static final String VERSION = "4.1.0+eley";

  private static final DateTimeFormatter CTIME =
      DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss yyyy", Locale.ROOT);

  String beganText() {
    return CTIME.format(began);
  }

  String finishedText() {
    return CTIME.format(finished);
  }

  static String machine() {
    return System.getProperty("os.name")
        + " "
        + System.getenv().getOrDefault("HOSTNAME", "localhost");
  }
}
