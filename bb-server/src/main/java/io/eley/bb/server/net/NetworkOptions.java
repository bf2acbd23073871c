package io.eley.bb.server.net;

import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.config.NetworkKeys;
import io.eley.bb.api.config.Settings;
import java.time.Duration;

/**
 * The values of {@link NetworkKeys}, for those who are connected to.
 *
 * @param protection of frames
 * @param handshake how long a peer may take to prove that it knows the secret
 */
public record NetworkOptions(NetworkProtection protection, Duration handshake) {
  /** What is usual. */
  public static final NetworkOptions DEFAULT = from(Settings.NONE);

  public static NetworkOptions from(Settings settings) {
    return new NetworkOptions(
        settings.get(NetworkKeys.PROTECTION), settings.get(NetworkKeys.HANDSHAKE_DEADLINE));
  }
}
