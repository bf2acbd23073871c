package io.eley.bb.server.fetch;

import io.eley.bb.api.config.ConfigKey;
import java.time.Duration;
import java.util.List;

/** Configuration of fetching. */
public final class FetchKeys {
  public static final ConfigKey<Integer> CONCURRENCY_MAX =
      ConfigKey.integer(
              "eley.fetch.concurrency-max",
              8,
              1,
              256,
              "Fetcher threads of a node; those beyond eley.fetch.concurrency fetch only when a permit"
                  + " asks for them (scale-up).")
          .formerly("eley.fetch.concurrency.max");

  public static final ConfigKey<Duration> DEADLINE =
      ConfigKey.duration(
          "eley.fetch.deadline",
          "30s",
          "10ms",
          "1h",
          "How long one origin call of a fetcher may take before the thread is given up.");

  public static final ConfigKey<Integer> HUNG_CALLS_MAX =
      ConfigKey.integer(
              "eley.fetch.hung-calls-max",
              16,
              0,
              1024,
              "Threads a node may lose to origin calls that hang; with more, other fetches time out too.")
          .formerly("eley.fetch.hung-calls.max");

  private FetchKeys() {}

  /** All keys of this package, in the order of the documentation. */
  public static List<ConfigKey<?>> all() {
    return List.of(CONCURRENCY_MAX, DEADLINE, HUNG_CALLS_MAX);
  }
}
