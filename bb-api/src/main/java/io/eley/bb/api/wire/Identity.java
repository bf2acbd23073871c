package io.eley.bb.api.wire;

import io.eley.bb.api.NodeId;

/**
 * Who a process of a deployment says it is. The secret is everybody's, so this tells processes of
 * one deployment apart; it keeps no stranger out by itself.
 *
 * @param role what it does
 * @param name of a node; empty for all others
 */
public record Identity(Role role, String name) {
  /** Whoever reads: Spark, the command line. */
  public static final Identity CLIENT = new Identity(Role.CLIENT, "");

  /** The one coordinator of a deployment. */
  public static final Identity COORDINATOR = new Identity(Role.COORDINATOR, "");

  /** A server of the origin that shares the secret: the emulated PFS of the experiments. */
  public static final Identity ORIGIN = new Identity(Role.ORIGIN, "");

  /** The board of a site. */
  public static final Identity BOARD = new Identity(Role.BOARD, "");

  private static final int NAME_BYTES = 4 * 128;

  /** What processes do. */
  public enum Role {
    CLIENT,
    NODE,
    COORDINATOR,
    ORIGIN,
    BOARD
  }

  public static Identity node(NodeId id) {
    return new Identity(Role.NODE, id.value());
  }

  void write(WireWriter out) {
    out.constant(role).text(name);
  }

  static Identity read(WireReader in) {
    return new Identity(in.constant(Role.class), in.text(NAME_BYTES));
  }

  /** For people: "the coordinator", "node n1". */
  @Override
  public String toString() {
    return switch (role) {
      case CLIENT -> "a client";
      case NODE -> "node " + name;
      case COORDINATOR -> "the coordinator";
      case ORIGIN -> "the origin's server";
      case BOARD -> "the board";
    };
  }
}
