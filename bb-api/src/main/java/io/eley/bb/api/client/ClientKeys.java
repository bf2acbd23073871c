package io.eley.bb.api.client;

import io.eley.bb.api.config.ConfigKey;
import io.eley.bb.api.config.DataSize;
import java.time.Duration;
import java.util.List;

/** Configuration of the client. */
public final class ClientKeys {
  public static final ConfigKey<String> DEPLOYMENT =
      ConfigKey.text(
          "eley.deployment",
          "",
          "Directory of the deployment: address and secret come from there.");

  public static final ConfigKey<String> COORDINATOR =
      ConfigKey.text(
              "eley.deployment.coordinator",
              "",
              "host:port of the coordinator; empty takes it from eley.deployment at each connect.")
          .formerly("eley.coordinator");

  public static final ConfigKey<String> SECRET_FILE =
      ConfigKey.text(
              "eley.deployment.secret-file",
              "",
              "File with the deployment's secret; empty takes the deployment's.")
          .formerly("eley.secret.file");

  public static final ConfigKey<String> ORIGIN =
      ConfigKey.text(
              "eley.client.origin",
              "",
              "Address of the origin for a client that cannot ask the coordinator; with no deployment at all,"
                  + " everything is read from here.")
          .formerly("eley.origin");

  public static final ConfigKey<String> NAME =
      ConfigKey.text(
          "eley.client.name",
          "spark",
          "Who reads, for an origin that accounts its traffic by client.");

  public static final ConfigKey<Integer> CONNECTIONS =
      ConfigKey.integer(
          "eley.client.connections",
          0,
          0,
          64,
          "Connections to each node that all threads share; 0 is one for each 4 processors, from 2 to"
              + " 16. Four times as many serve one reader each.");

  public static final ConfigKey<Duration> CONNECT_TIMEOUT =
      ConfigKey.duration(
              "eley.client.connect-timeout",
              "800ms",
              "10ms",
              "5m",
              "How long connecting and the handshake may take together.")
          .formerly("eley.client.connect.timeout");

  public static final ConfigKey<Duration> SILENCE =
      ConfigKey.duration(
          "eley.client.silence",
          "300ms",
          "10ms",
          "1m",
          "How long an answer may take before the peer is asked whether it lives, and how long it may take to say"
              + " so; reads then go past it.");

  public static final ConfigKey<Duration> REQUEST_DEADLINE =
      ConfigKey.duration(
              "eley.client.request-deadline",
              "30s",
              "10ms",
              "1h",
              "How long a question to the coordinator may take.")
          .formerly("eley.client.request.deadline");

  public static final ConfigKey<Duration> READ_DEADLINE =
      ConfigKey.duration(
              "eley.client.read-deadline",
              "150s",
              "10ms",
              "24h",
              "How long one read of a block may take; longer than eley.node.read-deadline, or every hold ends in"
                  + " fallbacks.")
          .formerly("eley.client.read.deadline");

  public static final ConfigKey<Duration> ORIGIN_DEADLINE =
      ConfigKey.duration(
              "eley.client.origin-deadline",
              "120s",
              "10ms",
              "24h",
              "How long one origin call may take before it is given up.")
          .formerly("eley.client.origin.deadline");

  public static final ConfigKey<DataSize> FALLBACK_RATE =
      ConfigKey.size(
          "eley.client.fallback-rate",
          "64m",
          "64k",
          "1t",
          "Bytes a second that a process reads past the buffer while no coordinator says how fast it may.");

  public static final ConfigKey<Integer> RETRIES =
      ConfigKey.integer(
          "eley.client.retries",
          2,
          0,
          20,
          "Further attempts at nodes before a read falls back to the origin.");

  public static final ConfigKey<Boolean> LOCAL =
      ConfigKey.flag(
          "eley.client.local", true, "Read blocks of nodes on the same machine from their files.");

  public static final ConfigKey<Integer> LOCAL_LEASES =
      ConfigKey.integer(
          "eley.client.local.leases",
          1024,
          1,
          4096,
          "Blocks on the same machine whose files stay open for the next reads; no more than a quarter of the"
              + " descriptors that the process may have. One that is not read for 1 s is given back.");

  public static final ConfigKey<Boolean> VERIFY =
      ConfigKey.flag(
          "eley.client.verify",
          true,
          "Check the CRC32C of every page of 16 KiB that is read, from a node's file once a lease; a damaged block"
              + " is fetched anew.");

  public static final ConfigKey<Boolean> READ_AHEAD =
      ConfigKey.flag(
          "eley.client.read-ahead",
          true,
          "Ask for the next block of a stream that is read sequentially; the driver plugin turns it off, since it"
              + " knows better.");

  private ClientKeys() {}

  /** All keys of this package, in the order of the documentation. */
  public static List<ConfigKey<?>> all() {
    return List.of(
        DEPLOYMENT,
        COORDINATOR,
        SECRET_FILE,
        ORIGIN,
        NAME,
        CONNECTIONS,
        CONNECT_TIMEOUT,
        SILENCE,
        REQUEST_DEADLINE,
        READ_DEADLINE,
        ORIGIN_DEADLINE,
        FALLBACK_RATE,
        RETRIES,
        LOCAL,
        LOCAL_LEASES,
        VERIFY,
        READ_AHEAD);
  }
}
