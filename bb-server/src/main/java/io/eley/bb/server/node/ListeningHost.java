package io.eley.bb.server.node;

import io.eley.bb.api.config.ListenHost;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Where a node listens when nobody says it: on the one address from which it reaches its
 * coordinator, where the deployment's other processes are, too.
 */
final class ListeningHost {
  private static final Duration POLL = Duration.ofMillis(50);

  private ListeningHost() {}

  /**
   * The address. Blocks until the coordinator's is known, up to the node's patience.
   *
   * @throws EleyException {@code UNAVAILABLE} when there is no such address, or no coordinator
   */
  static String of(NodeOptions options) throws EleyException {
    String wanted = options.listening().host();
    InetAddress address =
        wanted.isBlank()
            ? towards(options.coordinator())
            : ListenHost.ofThisMachine().resolve(NodeKeys.LISTEN_HOST.name(), wanted);
    return address.getHostAddress();
  }

  private static InetAddress towards(NodeOptions.Coordinator coordinator) throws EleyException {
    long deadline = System.nanoTime() + coordinator.patience().toNanos();
    while (true) {
      try {
        return ListenHost.routeTo(coordinator.locator().locate());
      } catch (EleyException e) {
        if (e.code() == ErrorCode.UNAUTHENTICATED) {
          throw e; // a deployment that is not trusted will not be trusted in a moment
        }
        if (System.nanoTime() - deadline > 0) {
          throw new EleyException(
              ErrorCode.UNAVAILABLE,
              "could not join a coordinator for "
                  + coordinator.patience().toSeconds()
                  + " s: "
                  + e.getMessage(),
              e);
        }
      }
      pause();
    }
  }

  private static void pause() throws EleyException {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.UNAVAILABLE, "interrupted while joining", e);
    }
  }
}
