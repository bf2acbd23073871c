package io.eley.bb.server.scratch;

/**
 * How much of a node's RAM intermediate data may take. What is left is the floor for input: without
 * one, a shuffle of several times the RAM would stop all prefetching, and the tasks that read would
 * wait for the origin to make more of it.
 *
 * @param capacityBytes the node's RAM, for input and scratch together
 * @param most part of it that scratch may take, from 0 to 1
 */
public record ScratchShare(long capacityBytes, double most) {
  public ScratchShare {
    if (capacityBytes < 0 || !(most >= 0 && most <= 1)) {
      throw new IllegalArgumentException("not a share of RAM: " + most + " of " + capacityBytes);
    }
  }

  /** Bytes that scratch may take. */
  public long limitBytes() {
    return (long) (capacityBytes * most);
  }

  /** Whether scratch of this size may grow by so much. */
  public boolean allows(long usedBytes, long moreBytes) {
    return moreBytes <= limitBytes() - usedBytes;
  }
}
