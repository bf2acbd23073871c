package io.eley.bb.api;

import io.eley.bb.api.edge.NameRule;

/**
 * Where a node listens.
 *
 * @param id its name
 * @param host a name or address that executors can resolve
 * @param port TCP port, 1 to 65535
 * @param machine identity of the operating system it runs on (Linux boot id, random(4)); a client
 *     with the same identity may read the node's RAM-disk files directly. Of a node whose blocks
 *     are in another engine, {@link #ENGINE}
 */
public record NodeAddress(NodeId id, String host, int port, String machine) {
  /** Instead of a machine: the node's blocks are read by its engine's own client, from anywhere. */
  public static final String ENGINE = "engine";

  public NodeAddress {
    if (port < 1 || port > 65535) {
      throw new IllegalArgumentException("port out of range: " + port);
    }
    NameRule.HOST.require(host);
  }

  /** Whether its blocks are in another engine. */
  public boolean ofEngine() {
    return machine.equals(ENGINE);
  }

  /**
   * Whether both run on one machine, as far as they say: under one operating system, or, where one
   * of them does not know its own, at one host. Virtual machines of one host are machines.
   */
  public boolean sharesMachineWith(NodeAddress other) {
    if (knowsMachine() && other.knowsMachine()) {
      return machine.equals(other.machine);
    }
    return host.equals(other.host);
  }

  private boolean knowsMachine() {
    return !machine.isEmpty() && !ofEngine();
  }
}
