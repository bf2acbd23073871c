package io.eley.controller.loop;

import io.eley.bb.api.config.ConfigKey;
import io.eley.prefetcher.control.DemandPolicy;
import io.eley.prefetcher.control.OperatorChoice;
import java.time.Duration;
import java.util.List;

/** Configuration of permits, holds and the operators of the mode Adaptive. */
public final class ControlKeys {
  public static final ConfigKey<Duration> HEARTBEAT_TIMEOUT =
      ConfigKey.duration(
              "eley.heartbeat-timeout",
              "3s",
              "100ms",
              "10m",
              "A node that left a permit unconfirmed for so long has left the deployment; longer than"
                  + " eley.permit.renewal.")
          .formerly("eley.heartbeat.timeout");

  public static final ConfigKey<Duration> PERMIT_TTL =
      ConfigKey.duration(
          "eley.permit.ttl",
          "2s",
          "100ms",
          "1m",
          "Life of a permit; a node that hears nothing for so long stops prefetching.");

  public static final ConfigKey<Duration> PERMIT_RENEWAL =
      ConfigKey.duration(
          "eley.permit.renewal",
          "1s",
          "10ms",
          "30s",
          "How often permits are renewed; at most half of eley.permit.ttl.");

  public static final ConfigKey<Duration> HOLD_CONFIRMATION =
      ConfigKey.duration(
          "eley.hold.confirmation",
          "200ms",
          "0ms",
          "10s",
          "How long the announcement of a phase waits for the nodes to confirm the hold.");

  public static final ConfigKey<DemandPolicy> HOLD_DEMAND =
      ConfigKey.choice(
          "eley.hold.demand",
          "wait",
          "wait, capped or pass",
          "What becomes, during a hold, of reads that tasks wait for: they wait up to"
              + " eley.delay.max, go on at eley.delay.capped-rate at once, or pass.",
          DemandPolicy::of);

  public static final ConfigKey<OperatorChoice> OPERATOR =
      ConfigKey.choice(
          "eley.operator",
          "chooser",
          "chooser, partial-delay, scale-down or scale-up",
          "Which rule the mode Adaptive follows.",
          OperatorChoice::of);

  public static final ConfigKey<Double> MAX_SLOWDOWN =
      ConfigKey.decimal(
              "eley.operator.max-slowdown",
              "0.05",
              0,
              10,
              "How much longer a phase may take in the mode Adaptive, as a fraction; 0 is FullDelay.")
          .formerly("eley.qos.max-slowdown");

  public static final ConfigKey<Integer> SCALE_UP =
      ConfigKey.integer(
              "eley.operator.scale-up-fetchers",
              8,
              1,
              256,
              "Fetchers of a node with which scale-up catches up; see eley.fetch.concurrency-max.")
          .formerly("eley.scale-up.fetchers");

  private ControlKeys() {}

  /** All keys of this class, in the order of the documentation. */
  public static List<ConfigKey<?>> all() {
    return List.of(
        HEARTBEAT_TIMEOUT,
        PERMIT_TTL,
        PERMIT_RENEWAL,
        HOLD_CONFIRMATION,
        HOLD_DEMAND,
        OPERATOR,
        MAX_SLOWDOWN,
        SCALE_UP);
  }
}
