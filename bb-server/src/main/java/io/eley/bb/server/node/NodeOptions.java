package io.eley.bb.server.node;

import io.eley.bb.api.client.ClientKeys;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.config.HoldKeys;
import io.eley.bb.api.config.OriginKeys;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.Secret;
import io.eley.bb.server.fetch.FetchKeys;
import io.eley.bb.server.fetch.FetchOptions;
import io.eley.bb.server.net.NetworkOptions;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The options of a node.
 *
 * @param directory for its blocks, on a RAM-disk, this node's alone
 * @param name empty for a random one
 * @param memoryBytes what the blocks may take, positive
 * @param listening where clients reach it
 * @param coordinator that it belongs to
 * @param fetching how it reads the origin
 * @param scratch how it takes intermediate data; empty when it does not
 */
public record NodeOptions(
    Path directory,
    String name,
    long memoryBytes,
    Listening listening,
    Coordinator coordinator,
    Fetching fetching,
    Optional<Scratch> scratch) {
  /** Of a node that takes no intermediate data. */
  public NodeOptions(
      Path directory,
      String name,
      long memoryBytes,
      Listening listening,
      Coordinator coordinator,
      Fetching fetching) {
    this(directory, name, memoryBytes, listening, coordinator, fetching, Optional.empty());
  }

  public NodeOptions {
    if (memoryBytes < 1) {
      throw new IllegalArgumentException(NodeKeys.MEMORY.name() + " must be positive");
    }
  }

  /**
   * The values of {@link NodeKeys} and {@link FetchKeys}; the deployment is found as a client finds
   * it ({@link io.eley.bb.api.client.ClientKeys#DEPLOYMENT}). Reads the secret's file.
   *
   * @throws IllegalArgumentException in one line for the operator, naming the key
   * @throws EleyException {@code UNAUTHENTICATED} when the secret cannot be read
   */
  public static NodeOptions from(Settings settings) throws EleyException {
    var deployment =
        ClientOptions.from(settings)
            .deployment()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        ClientKeys.DEPLOYMENT.name()
                            + " is not set; a node belongs to a deployment"));
    return from(settings, deployment::address, deployment.secret());
  }

  /**
   * The values of {@link NodeKeys} and {@link FetchKeys}.
   *
   * @throws IllegalArgumentException in one line for the operator, naming the key
   */
  public static NodeOptions from(Settings settings, Locator locator, Secret secret) {
    String directory = settings.get(NodeKeys.DIRECTORY);
    if (directory.isBlank()) {
      throw new IllegalArgumentException(
          NodeKeys.DIRECTORY.name() + " is not set; name a directory on a RAM-disk");
    }
    return new NodeOptions(
        Path.of(directory),
        settings.get(NodeKeys.NAME),
        settings.get(NodeKeys.MEMORY).bytes(),
        new Listening(
            settings.get(NodeKeys.LISTEN_HOST),
            settings.get(NodeKeys.PORT),
            settings.get(NodeKeys.ADVERTISED_HOST),
            NetworkOptions.from(settings),
            settings.get(NodeKeys.IO_THREADS)),
        new Coordinator(
            locator,
            secret,
            settings.get(NodeKeys.COORDINATOR_SILENCE),
            settings.get(NodeKeys.COORDINATOR_WAIT)),
        new Fetching(
            FetchOptions.from(settings),
            settings.get(HoldKeys.DELAY_MAX),
            settings.get(HoldKeys.CAPPED_RATE).bytes(),
            settings.get(NodeKeys.READ_DEADLINE),
            settings.get(OriginKeys.CLASS_PATH)),
        scratch(settings));
  }

  private static Optional<Scratch> scratch(Settings settings) {
    String spark = settings.get(NodeKeys.SPARK_HOME);
    Optional<Overflow> overflow = overflow(settings);
    if (!spark.isBlank()) {
      return Optional.of(
          new Scratch(Path.of(spark), settings.get(NodeKeys.SCRATCH_SHARE), overflow));
    }
    if (overflow.isPresent()) {
      throw new IllegalArgumentException(
          NodeKeys.OVERFLOW_DIRECTORY.name()
              + " is for intermediate data, which needs "
              + NodeKeys.SPARK_HOME.name());
    }
    return Optional.empty();
  }

  private static Optional<Overflow> overflow(Settings settings) {
    String directory = settings.get(NodeKeys.OVERFLOW_DIRECTORY);
    return directory.isBlank()
        ? Optional.empty()
        : Optional.of(
            new Overflow(Path.of(directory), settings.get(NodeKeys.OVERFLOW_SIZE).bytes()));
  }

  /**
   * How the node takes intermediate data.
   *
   * @param spark whose shuffle service hands it out
   * @param share most of the RAM that it may take, from 0 to 1
   * @param overflow for what finds no room there
   */
  public record Scratch(Path spark, double share, Optional<Overflow> overflow) {}

  /**
   * A second tier of intermediate data.
   *
   * @param directory on a local disk, this node's alone
   * @param bytes that it may take there, positive
   */
  public record Overflow(Path directory, long bytes) {
    public Overflow {
      if (bytes < 1) {
        throw new IllegalArgumentException(NodeKeys.OVERFLOW_SIZE.name() + " must be positive");
      }
    }
  }

  /**
   * Where clients reach the node.
   *
   * @param host interface, network or address to listen on; empty for the address from which the
   *     coordinator is reached
   * @param port 0 for any free one
   * @param advertisedHost what clients are told; empty for the address that the connection to the
   *     coordinator leaves from
   * @param network how connections are protected
   * @param ioThreads that serve connections; 0 follows the processors
   */
  public record Listening(
      String host, int port, String advertisedHost, NetworkOptions network, int ioThreads) {
    /** With usual connections. */
    public Listening(String host, int port, String advertisedHost) {
      this(host, port, advertisedHost, NetworkOptions.DEFAULT, 0);
    }
  }

  /**
   * The coordinator that the node belongs to.
   *
   * @param locator where the coordinator is now
   * @param secret the deployment's
   * @param silence after which the node connects anew
   * @param patience how long a starting node looks for the coordinator
   */
  public record Coordinator(Locator locator, Secret secret, Duration silence, Duration patience) {
    public Coordinator {
      if (silence.toMillis() < 1 || patience.isNegative()) {
        throw new IllegalArgumentException("silence must be positive, patience not negative");
      }
    }
  }

  /**
   * Finds the coordinator. It is called before each connection, since a coordinator that was
   * restarted may be somewhere else.
   */
  @FunctionalInterface
  public interface Locator {
    /**
     * The coordinator's address. May read a file.
     *
     * @throws EleyException {@code UNAVAILABLE} while there is none
     */
    InetSocketAddress locate() throws EleyException;
  }

  /**
   * How the node reads the origin.
   *
   * @param threads of the fetcher
   * @param delayMax how long reads that tasks wait for are held without a permit
   * @param cappedBytesPerSecond their rate afterwards
   * @param readDeadline how long a read may wait for its next chunk
   * @param originClasses class path of the origin's adapter, see {@link OriginKeys#CLASS_PATH}
   */
  public record Fetching(
      FetchOptions threads,
      Duration delayMax,
      long cappedBytesPerSecond,
      Duration readDeadline,
      String originClasses) {
    /** Of an origin that is mounted. */
    public Fetching(
        FetchOptions threads, Duration delayMax, long cappedBytesPerSecond, Duration readDeadline) {
      this(threads, delayMax, cappedBytesPerSecond, readDeadline, "");
    }

    public Fetching {
      if (readDeadline.compareTo(delayMax) <= 0) {
        throw new IllegalArgumentException(
            NodeKeys.READ_DEADLINE.name()
                + " ("
                + readDeadline.toMillis()
                + " ms) must be longer than "
                + HoldKeys.DELAY_MAX.name()
                + " ("
                + delayMax.toMillis()
                + " ms), or reads give up before a hold lets them through");
      }
    }
  }
}
