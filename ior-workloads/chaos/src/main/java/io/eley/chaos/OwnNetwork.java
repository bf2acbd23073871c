package io.eley.chaos;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A network namespace of the experiment's own, in which packets can be dropped and harm nobody
 * else. It has a loopback interface and nothing more, and it ends with its last process, so nothing
 * is left of it however that ends. Only root can make one (unshare(1), ip(8)).
 *
 * <p>Packets are dropped by a routing rule for a port, which needs no packet filter of the kernel:
 * what matches finds no route. Safe for several threads.
 */
final class OwnNetwork {
  /** Run before the command that follows. */
  static final List<String> ENTER = List.of("unshare", "--net", "--");

  /** The rule that delivers to this machine's own addresses comes first otherwise. */
  private static final String PREPARE =
      "ip link set lo up && ip rule add pref 1000 lookup local && ip rule del pref 0";

  private static final AtomicInteger PREFERENCES = new AtomicInteger();

  private OwnNetwork() {}

  /** Whether this process could make one and drop packets there. */
  static boolean possible() throws InterruptedIOException {
    return SystemCommand.succeeds(
        "unshare", "--net", "--", "sh", "-c", PREPARE + " && " + rule("add", 1, "sport", 1));
  }

  /** Readies the namespace that this process was started in. */
  static void prepare() throws IOException {
    if (!SystemCommand.succeeds("sh", "-c", PREPARE)) {
      throw new IOException(
          "this process has no network namespace of its own: leave that flag out");
    }
  }

  /**
   * Drops all packets that come from a port, or all that go to it, until closed.
   *
   * @param answers those that come from it: who connects gets no answer, instead of an error
   */
  static Drop drop(int port, boolean answers) throws IOException {
    int preference = 1 + PREFERENCES.getAndIncrement() % 900;
    String side = answers ? "sport" : "dport";
    if (!SystemCommand.succeeds("sh", "-c", rule("add", preference, side, port))) {
      throw new IOException("cannot drop packets of port " + port);
    }
    return () -> {
      if (!SystemCommand.succeeds("ip", "rule", "del", "pref", Integer.toString(preference))) {
        throw new IOException("packets of port " + port + " are still dropped");
      }
    };
  }

  /** What ends the dropping. */
  interface Drop extends AutoCloseable {
    @Override
    void close() throws IOException;
  }

  private static String rule(String verb, int preference, String side, int port) {
    return "ip rule %s pref %d ipproto tcp %s %d blackhole".formatted(verb, preference, side, port);
  }
}
