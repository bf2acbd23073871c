package io.eley.controller.watch;

import io.eley.bb.api.config.ConfigKey;
import io.eley.bb.api.config.DataSize;
import java.time.Duration;
import java.util.List;

/** Configuration of when bytes are a phase, and of forecasts. */
public final class WatchKeys {
  public static final ConfigKey<DataSize> THRESHOLD =
      ConfigKey.size(
          "eley.signal.threshold",
          "4m",
          "1",
          "1t",
          "Bytes a second of one application that are a phase.");

  public static final ConfigKey<Duration> QUIET =
      ConfigKey.duration(
          "eley.signal.quiet",
          "750ms",
          "0ms",
          "10m",
          "So long below half of eley.signal.threshold ends a phase.");

  public static final ConfigKey<Duration> LOST_HOLD =
      ConfigKey.duration(
              "eley.signal.lost-hold",
              "10s",
              "0ms",
              "1h",
              "How long a phase is taken to be open after the source that saw it was lost.")
          .formerly("eley.signal.lost.hold");

  public static final ConfigKey<Double> CONFIDENCE =
      ConfigKey.decimal(
          "eley.signal.confidence",
          "0.2",
          0,
          1,
          "A phase of which less is certain is shown, but nothing is held for it.");

  public static final ConfigKey<Boolean> READS =
      ConfigKey.flag(
          "eley.signal.reads",
          true,
          "Whether our own reads of the origin tell of somebody else's I/O, by how long they take.");

  public static final ConfigKey<Boolean> PREDICT =
      ConfigKey.flag("eley.predict", true, "Whether prefetching is held before expected phases.");

  public static final ConfigKey<Duration> PREDICT_GUARD =
      ConfigKey.duration(
          "eley.predict.guard",
          "100ms",
          "0ms",
          "1m",
          "How much earlier than the past says a phase is held for.");

  private WatchKeys() {}

  /** All keys of this class, in the order of the documentation. */
  public static List<ConfigKey<?>> all() {
    return List.of(THRESHOLD, QUIET, LOST_HOLD, CONFIDENCE, READS, PREDICT, PREDICT_GUARD);
  }
}
