package io.eley.engine.alluxio;

import io.eley.bb.api.config.ConfigKey;
import java.time.Duration;
import java.util.List;

/** Configuration of nodes whose blocks are in Alluxio. */
public final class AlluxioKeys {
  public static final ConfigKey<String> MASTER =
      ConfigKey.text(
          "eley.alluxio.master",
          "",
          "Alluxio's master, host:port, when the nodes' blocks are in its workers and not in our own"
              + " nodes' RAM; empty is our own.");

  public static final ConfigKey<String> CLIENT =
      ConfigKey.text(
          "eley.alluxio.client",
          "",
          "Alluxio's client: jars, or directories of jars, separated by colons; nodes load it apart"
              + " from their own classes.");

  public static final ConfigKey<String> WORKER =
      ConfigKey.text(
          "eley.alluxio.worker",
          "",
          "The Alluxio worker, host:port of its calls, that a node stands for; who starts nodes sets it.");

  public static final ConfigKey<Duration> LIFE =
      ConfigKey.duration(
          "eley.alluxio.life",
          "10m",
          "1s",
          "24h",
          "When we have died, Alluxio frees our files' blocks after this time, or at its master's next"
              + " look (alluxio.master.ttl.checker.interval).");

  private AlluxioKeys() {}

  /** All keys of this package, in the order of the documentation. */
  public static List<ConfigKey<?>> all() {
    return List.of(MASTER, CLIENT, WORKER, LIFE);
  }
}
