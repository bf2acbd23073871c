package io.eley.coordinator.config;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.ConfigKey;
import io.eley.bb.api.config.DataSize;
import io.eley.prefetcher.plan.WindowReach;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/** Configuration of a coordinator. */
public final class CoordinatorKeys {
  public static final ConfigKey<String> DIRECTORY =
      ConfigKey.text(
          "eley.coordinator.directory",
          "",
          "Directory of the deployment, for one coordinator alone; must be set.");

  public static final ConfigKey<String> ORIGIN =
      ConfigKey.text(
          "eley.coordinator.origin",
          "",
          "Where the data lives: a directory, or the URI of an origin adapter; must be set.");

  public static final ConfigKey<BufferMode> MODE =
      ConfigKey.mode("eley.mode", BufferMode.FULL_DELAY, "Which system runs.");

  public static final ConfigKey<DataSize> BLOCK_SIZE =
      ConfigKey.size(
              "eley.block-size",
              text(BlockGeometry.DEFAULT.blockSize()),
              "4k",
              "1g",
              "Bytes of a block; a multiple of eley.chunk-size.")
          .formerly("eley.block.size");

  public static final ConfigKey<DataSize> CHUNK_SIZE =
      ConfigKey.size(
              "eley.chunk-size",
              text(BlockGeometry.DEFAULT.chunkSize()),
              "4k",
              "16m",
              "Bytes of one origin read; a power of two.")
          .formerly("eley.chunk.size");

  public static final ConfigKey<String> LISTEN_HOST =
      ConfigKey.text(
              "eley.coordinator.listen-host",
              "",
              "Interface (ib0), network (10.1.0.0/16) or address on which the coordinator listens;"
                  + " empty takes the address of this machine's name.")
          .formerly("eley.coordinator.listen.host");

  public static final ConfigKey<Integer> PORT =
      ConfigKey.integer(
          "eley.coordinator.port",
          0,
          0,
          65535,
          "Port on which the coordinator listens; 0 takes any free one.");

  public static final ConfigKey<String> ADVERTISED_HOST =
      ConfigKey.text(
              "eley.coordinator.advertised-host",
              "",
              "Host that others are told; empty takes the address listened on, or this machine's name"
                  + " when that is 0.0.0.0.")
          .formerly("eley.coordinator.advertised.host");

  public static final ConfigKey<Boolean> HTTP =
      ConfigKey.flag(
          "eley.http",
          true,
          "Whether anything is served by HTTP: announcements with curl, the live page, metrics.");

  public static final ConfigKey<Integer> HTTP_PORT =
      ConfigKey.integer(
          "eley.http.port", 0, 0, 65535, "Port of the HTTP endpoint; 0 takes any free one.");

  public static final ConfigKey<Boolean> HTTP_OPEN_METRICS =
      ConfigKey.flag(
          "eley.http.open-metrics",
          false,
          "Whether /metrics is answered without the token where the coordinator listens on loopback"
              + " alone; every user of the host can read it then.");

  public static final ConfigKey<Duration> DRIVER_GRACE =
      ConfigKey.duration(
              "eley.driver-grace",
              "30s",
              "0ms",
              "24h",
              "How long the plan of an application is kept after its driver's connection was lost.")
          .formerly("eley.driver.grace");

  private static final int WAVES_MAX = 64;

  /** Empty is what reads decide, see {@link WindowReach}. */
  public static final ConfigKey<OptionalInt> WINDOW_WAVES =
      new ConfigKey<>(
          "eley.window.waves",
          "auto",
          "auto, or 0 to " + WAVES_MAX,
          "Waves prefetched ahead of the tasks that run: a number is kept to; auto is one, up to 8 where so many"
              + " keep the nodes' eley.fetch.concurrency reads busy, and as many as last for a hold, where half of the"
              + " nodes' room holds them.",
          text ->
              text.equals("auto") ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(text)),
          waves -> waves.orElse(0) >= 0 && waves.orElse(0) <= WAVES_MAX);

  public static final ConfigKey<DataSize> WINDOW_OVERRUN =
      ConfigKey.size(
          "eley.window.overrun",
          "64k",
          "0",
          "1g",
          "Bytes past a split's end that its task may read: the rest of its last record.");

  public static final ConfigKey<DataSize> PLAN_MEMORY =
      ConfigKey.size(
          "eley.plan-memory",
          "0",
          "0",
          "1t",
          "Heap that one application's plan may take, and all together half as much again; what does"
              + " not fit is planned when tasks have ended. 0 is two fifths of the coordinator's"
              + " heap.");

  public static final ConfigKey<Duration> METADATA_TTL =
      ConfigKey.duration(
          "eley.metadata.ttl",
          "10s",
          "0ms",
          "24h",
          "How long attributes and listings answer questions that do not open a file.");

  public static final ConfigKey<Duration> METADATA_NEGATIVE_TTL =
      ConfigKey.duration(
              "eley.metadata.negative-ttl",
              "0ms",
              "0ms",
              "1h",
              "How long a file that did not exist is taken not to exist.")
          .formerly("eley.metadata.negative.ttl");

  public static final ConfigKey<Duration> METADATA_DEADLINE =
      ConfigKey.duration(
          "eley.metadata.deadline",
          "30s",
          "10ms",
          "1h",
          "How long one metadata call to the origin may take before its thread is given up.");

  public static final ConfigKey<DataSize> METADATA_MEMORY =
      ConfigKey.size(
          "eley.metadata.memory",
          "0",
          "0",
          "1t",
          "Heap that attributes and listings may take; what is asked for least is forgotten then. 0"
              + " is a quarter of the coordinator's heap.");

  private CoordinatorKeys() {}

  private static String text(int bytes) {
    return new DataSize(bytes).toString();
  }

  /** All keys of this package, in the order of the documentation. */
  public static List<ConfigKey<?>> all() {
    return List.of(
        DIRECTORY,
        ORIGIN,
        MODE,
        BLOCK_SIZE,
        CHUNK_SIZE,
        LISTEN_HOST,
        PORT,
        ADVERTISED_HOST,
        HTTP,
        HTTP_PORT,
        HTTP_OPEN_METRICS,
        DRIVER_GRACE,
        WINDOW_WAVES,
        WINDOW_OVERRUN,
        PLAN_MEMORY,
        METADATA_TTL,
        METADATA_NEGATIVE_TTL,
        METADATA_DEADLINE,
        METADATA_MEMORY);
  }
}
