package io.eley.coordinator.config;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.ConfigKey;
import io.eley.bb.api.config.HoldKeys;
import io.eley.bb.api.config.OriginKeys;
import io.eley.bb.api.config.Settings;
import io.eley.bb.server.net.NetworkOptions;
import io.eley.controller.loop.ControlOptions;
import io.eley.coordinator.members.Members;
import io.eley.prefetcher.plan.PlanLimits;
import io.eley.prefetcher.plan.PlanOptions;
import io.eley.prefetcher.plan.WindowReach;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * The options of a coordinator.
 *
 * @param directory of the deployment, made when it is missing
 * @param origin the origin's address, see {@link io.eley.bb.api.origin.Origins#open}
 * @param mode the system that runs
 * @param geometry how files are cut
 * @param host interface, network or address to listen on; empty for this machine's name
 * @param port 0 for any free one
 * @param advertisedHost what others are told; empty for {@code host}, or this machine's name
 * @param http how job scripts announce
 * @param members how long silence is borne
 * @param control how phases are turned into permits
 * @param signals which sources see phases by themselves
 * @param planning how far ahead is fetched
 * @param metadata how long metadata is believed
 * @param network how connections are protected
 */
public record CoordinatorOptions(
    Path directory,
    String origin,
    BufferMode mode,
    BlockGeometry geometry,
    String host,
    int port,
    String advertisedHost,
    Http http,
    Members members,
    ControlOptions control,
    SignalOptions signals,
    Planning planning,
    Metadata metadata,
    NetworkOptions network) {

  /** The defaults of {@link CoordinatorKeys}, on a free port. */
  public static CoordinatorOptions of(
      Path directory, String origin, BufferMode mode, BlockGeometry geometry, String host) {
    var defaults = Settings.NONE;
    return new CoordinatorOptions(
        directory,
        origin,
        mode,
        geometry,
        host,
        0,
        "",
        Http.from(defaults),
        Members.from(defaults),
        ControlOptions.from(defaults, mode),
        SignalOptions.from(defaults),
        Planning.from(defaults),
        Metadata.from(defaults),
        NetworkOptions.from(defaults));
  }

  /**
   * The values of {@link CoordinatorKeys}, {@link SignalKeys}, and of the keys of the control loop.
   *
   * @throws IllegalArgumentException in one line for the operator, naming the key
   */
  public static CoordinatorOptions from(Settings settings) {
    return new CoordinatorOptions(
        Path.of(required(settings, CoordinatorKeys.DIRECTORY)),
        required(settings, CoordinatorKeys.ORIGIN),
        settings.get(CoordinatorKeys.MODE),
        new BlockGeometry(
            settings.get(CoordinatorKeys.BLOCK_SIZE).intBytes(),
            settings.get(CoordinatorKeys.CHUNK_SIZE).intBytes()),
        settings.get(CoordinatorKeys.LISTEN_HOST),
        settings.get(CoordinatorKeys.PORT),
        settings.get(CoordinatorKeys.ADVERTISED_HOST),
        Http.from(settings),
        Members.from(settings),
        ControlOptions.from(settings, settings.get(CoordinatorKeys.MODE)),
        SignalOptions.from(settings),
        Planning.from(settings),
        Metadata.from(settings),
        NetworkOptions.from(settings));
  }

  /** Whether anything is fetched ahead. */
  public boolean prefetches() {
    return mode != BufferMode.NAIVE_BB;
  }

  public PlanOptions planOptions() {
    long usual = Runtime.getRuntime().maxMemory() / 5 * 2;
    long application = planning.memory() == 0 ? usual : planning.memory();
    return new PlanOptions(geometry, planning.reach(), planning.overrunBytes())
        .withLimits(PlanLimits.ofApplication(application));
  }

  private static String required(Settings settings, ConfigKey<String> key) {
    String value = settings.get(key);
    if (value.isBlank()) {
      throw new IllegalArgumentException(key.name() + " is not set");
    }
    return value;
  }

  /**
   * What is served by HTTP: announcements of phases, the live page, metrics.
   *
   * @param enabled whether anything is
   * @param port 0 for any free one
   * @param openMetrics whether metrics need no token on loopback
   */
  public record Http(boolean enabled, int port, boolean openMetrics) {
    static Http from(Settings settings) {
      return new Http(
          settings.get(CoordinatorKeys.HTTP),
          settings.get(CoordinatorKeys.HTTP_PORT),
          settings.get(CoordinatorKeys.HTTP_OPEN_METRICS));
    }
  }

  /**
   * How long a member may be silent.
   *
   * @param driverGrace how long a driver whose connection was lost may take to come back
   */
  public record Members(Duration driverGrace) {
    static Members from(Settings settings) {
      return new Members(settings.get(CoordinatorKeys.DRIVER_GRACE));
    }
  }

  /**
   * How far ahead is fetched.
   *
   * @param reach how far ahead of the tasks that run
   * @param overrunBytes past a split's end
   * @param memory bytes of the heap that one application's plan may take; 0 for two fifths of it
   */
  public record Planning(WindowReach reach, long overrunBytes, long memory) {
    static Planning from(Settings settings) {
      OptionalInt waves = settings.get(CoordinatorKeys.WINDOW_WAVES);
      return new Planning(
          waves.isPresent()
              ? WindowReach.fixed(waves.getAsInt())
              : WindowReach.growing(settings.get(HoldKeys.FETCHERS)),
          settings.get(CoordinatorKeys.WINDOW_OVERRUN).bytes(),
          settings.get(CoordinatorKeys.PLAN_MEMORY).bytes());
    }
  }

  /**
   * How long cached metadata is valid.
   *
   * @param timeToLive of attributes and listings, for questions that do not open a file
   * @param negativeTimeToLive of the knowledge that a file does not exist
   * @param deadline of one call to the origin
   * @param memory bytes of the heap that it may take; 0 for a quarter of it
   * @param originClasses class path of the origin's adapter, see {@link OriginKeys#CLASS_PATH}
   */
  public record Metadata(
      Duration timeToLive,
      Duration negativeTimeToLive,
      Duration deadline,
      long memory,
      String originClasses) {
    /** Of an origin that is mounted. */
    public Metadata(
        Duration timeToLive, Duration negativeTimeToLive, Duration deadline, long memory) {
      this(timeToLive, negativeTimeToLive, deadline, memory, "");
    }

    static Metadata from(Settings settings) {
      return new Metadata(
          settings.get(CoordinatorKeys.METADATA_TTL),
          settings.get(CoordinatorKeys.METADATA_NEGATIVE_TTL),
          settings.get(CoordinatorKeys.METADATA_DEADLINE),
          settings.get(CoordinatorKeys.METADATA_MEMORY).bytes(),
          settings.get(OriginKeys.CLASS_PATH));
    }

    /** Bytes that cached metadata may take. */
    public long room() {
      return memory == 0 ? Runtime.getRuntime().maxMemory() / 4 : memory;
    }
  }
}
