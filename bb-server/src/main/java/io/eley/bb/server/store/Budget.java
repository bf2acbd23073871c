package io.eley.bb.server.store;

/**
 * What a store may take. Its blocks are files on the RAM-disk, but what it knows of each is heap:
 * with many small files that is what runs out first.
 *
 * @param bytes of RAM-disk for block files, footers included; positive
 * @param heap bytes of this JVM's heap for what is known of blocks, as {@link Entry#heapOf} counts
 */
record Budget(long bytes, long heap) {
  /** The share of a heap that blocks may take: the rest is connections', fetches' and messages'. */
  private static final int SHARE = 2;

  /** With that much RAM-disk, and the store's share of the heap that this JVM may have. */
  static Budget inThisJvm(long bytes) {
    return new Budget(bytes, Runtime.getRuntime().maxMemory() / SHARE);
  }
}
