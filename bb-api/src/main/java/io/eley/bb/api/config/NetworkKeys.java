package io.eley.bb.api.config;

import io.eley.bb.api.NetworkProtection;
import java.time.Duration;
import java.util.List;

/** Configuration of connections, the same for everybody in a deployment. */
public final class NetworkKeys {
  public static final ConfigKey<NetworkProtection> PROTECTION =
      ConfigKey.choice(
          "eley.network.protection",
          "auto",
          "auto, authenticate or encrypt",
          "How frames are protected: auto encrypts what goes to another host and authenticates frames within"
              + " one, authenticate hides nothing, encrypt hides everything everywhere. The server decides; a"
              + " client refuses less than its own setting says, and sends no application's secret, without"
              + " which its intermediate data stays with executors, where it would be legible.",
          NetworkProtection::of);

  public static final ConfigKey<Duration> HANDSHAKE_DEADLINE =
      ConfigKey.duration(
          "eley.network.handshake-deadline",
          "2s",
          "10ms",
          "5m",
          "How long a peer may take from connecting to its proof that it knows the secret.");

  private NetworkKeys() {}

  /** All keys of this class. */
  public static List<ConfigKey<?>> all() {
    return List.of(PROTECTION, HANDSHAKE_DEADLINE);
  }
}
