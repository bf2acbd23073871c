package io.eley.bb.api;

/**
 * Name of a node, unique in its deployment and stable over restarts (it is kept in the RAM-disk
 * directory), because placement hashes it.
 *
 * @param value 1 to 128 characters
 */
public record NodeId(String value) implements Comparable<NodeId> {
  public NodeId {
    if (value.isBlank() || value.length() > 128) {
      throw new IllegalArgumentException("node id must have 1 to 128 characters");
    }
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
