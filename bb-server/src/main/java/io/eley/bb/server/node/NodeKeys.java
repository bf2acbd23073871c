package io.eley.bb.server.node;

import io.eley.bb.api.config.ConfigKey;
import io.eley.bb.api.config.DataSize;
import java.time.Duration;
import java.util.List;

/** Configuration of a node. */
public final class NodeKeys {
  public static final ConfigKey<String> DIRECTORY =
      ConfigKey.text(
          "eley.node.directory",
          "",
          "Directory of the node's blocks, on a RAM-disk, for this node alone; must be set.");

  public static final ConfigKey<String> NAME =
      ConfigKey.text(
          "eley.node.name",
          "",
          "Name of the node, alone in its deployment; kept in its directory, like the random one"
              + " that empty stands for.");

  public static final ConfigKey<DataSize> MEMORY =
      ConfigKey.size(
          "eley.node.memory", "1g", "1m", "1024t", "RAM that the node's blocks may take.");

  public static final ConfigKey<String> LISTEN_HOST =
      ConfigKey.text(
              "eley.node.listen-host",
              "",
              "Interface (ib0), network (10.1.0.0/16) or address on which the node serves clients;"
                  + " empty takes the address from which it reaches the coordinator.")
          .formerly("eley.node.listen.host");

  public static final ConfigKey<Integer> PORT =
      ConfigKey.integer(
          "eley.node.port",
          0,
          0,
          65535,
          "Port on which the node serves clients; 0 takes any free one.");

  public static final ConfigKey<String> ADVERTISED_HOST =
      ConfigKey.text(
              "eley.node.advertised-host",
              "",
              "Host that clients are told; empty takes the address that the connection to the"
                  + " coordinator leaves from.")
          .formerly("eley.node.advertised.host");

  public static final ConfigKey<Duration> COORDINATOR_SILENCE =
      ConfigKey.duration(
          "eley.node.coordinator.silence",
          "4s",
          "1s",
          "10m",
          "A coordinator that grants no permit for so long is looked for anew; longer than"
              + " eley.permit.renewal.");

  public static final ConfigKey<Duration> COORDINATOR_WAIT =
      ConfigKey.duration(
          "eley.node.coordinator.wait",
          "60s",
          "0ms",
          "24h",
          "How long a starting node looks for its coordinator before it gives up.");

  public static final ConfigKey<Duration> READ_DEADLINE =
      ConfigKey.duration(
              "eley.node.read-deadline",
              "120s",
              "10ms",
              "24h",
              "How long a read may wait for its next chunk; longer than eley.delay.max, or every hold"
                  + " ends in fallbacks.")
          .formerly("eley.node.read.deadline");

  public static final ConfigKey<Integer> IO_THREADS =
      ConfigKey.integer(
          "eley.node.io-threads",
          0,
          0,
          256,
          "Threads that serve connections; 0 is one for each 2 processors, from 4 to 32.");

  public static final ConfigKey<String> SPARK_HOME =
      ConfigKey.text(
          "eley.node.spark-home",
          "",
          "Directory of the Spark whose External Shuffle Service hands intermediate data out; empty"
              + " takes none.");

  public static final ConfigKey<Double> SCRATCH_SHARE =
      ConfigKey.decimal(
          "eley.node.scratch-share",
          "0.75",
          0,
          1,
          "Most of the node's RAM that intermediate data may take; input yields to it down to the"
              + " rest.");

  public static final ConfigKey<String> OVERFLOW_DIRECTORY =
      ConfigKey.text(
          "eley.node.overflow.directory",
          "",
          "Directory on a local disk (NVMe) for intermediate data that finds no room in RAM, for"
              + " this node alone; empty is none.");

  public static final ConfigKey<DataSize> OVERFLOW_SIZE =
      ConfigKey.size(
          "eley.node.overflow.size",
          "16g",
          "1m",
          "1024t",
          "What intermediate data may take in eley.node.overflow.directory.");

  private NodeKeys() {}

  /** All keys of this package, in the order of the documentation. */
  public static List<ConfigKey<?>> all() {
    return List.of(
        DIRECTORY,
        NAME,
        MEMORY,
        LISTEN_HOST,
        PORT,
        ADVERTISED_HOST,
        COORDINATOR_SILENCE,
        COORDINATOR_WAIT,
        READ_DEADLINE,
        IO_THREADS,
        SPARK_HOME,
        SCRATCH_SHARE,
        OVERFLOW_DIRECTORY,
        OVERFLOW_SIZE);
  }
}
