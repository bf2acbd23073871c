package io.eley.bb.api;

import io.eley.bb.api.edge.NameRule;

/**
 * Name of a node, unique in its deployment and stable over restarts (it is kept in the RAM-disk
 * directory), because placement hashes it.
 *
 * @param value see {@link NameRule#NODE}
 */
public record NodeId(String value) implements Comparable<NodeId> {
  public NodeId {
    NameRule.NODE.require(value);
  }

  @Override
  public int compareTo(NodeId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
