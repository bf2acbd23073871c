package io.eley.bb.server.fetch;

import java.util.ArrayDeque;
import java.util.function.IntPredicate;

/**
 * Says in which order the chunks of one block are read: those that somebody waits for first, and
 * from there on, around the end.
 *
 * <p>A prefetch begins at a chunk that depends on the block's index. Neighbouring blocks are
 * fetched at the same time, and blocks of 16 chunks all begin on the same server when the file is
 * striped over a power of two of servers by chunks: without the rotation all fetchers would ask
 * that one server at the same moment. With a step of 7 the fetchers of neighbouring blocks are 16 +
 * 7 = 23 chunks apart, a prime, so up to 22 servers are hit in turn.
 *
 * <p>Safe for several threads.
 */
final class ChunkOrder {
  private static final int STEP = 7;

  private final int chunks;
  private final ArrayDeque<Integer> wanted = new ArrayDeque<>();
  private int next;

  /** The order for a block of the file, before anybody waits for a chunk of it. */
  ChunkOrder(int blockIndex, int chunks) {
    this.chunks = chunks;
    this.next = (int) ((long) blockIndex * STEP % chunks);
  }

  /** Notes that a reader waits for this chunk. */
  synchronized void want(int chunk) {
    if (!wanted.contains(chunk)) {
      wanted.addLast(chunk);
    }
  }

  /**
   * The chunk to read now, or -1 when all are there.
   *
   * @param there whether a chunk is there already
   */
  synchronized int next(IntPredicate there) {
    while (!wanted.isEmpty()) {
      int chunk = wanted.removeFirst();
      if (!there.test(chunk)) {
        return moveTo(chunk);
      }
    }
    for (int step = 0; step < chunks; step++) {
      int chunk = (next + step) % chunks;
      if (!there.test(chunk)) {
        return moveTo(chunk);
      }
    }
    return -1;
  }

  private int moveTo(int chunk) {
    next = (chunk + 1) % chunks;
    return chunk;
  }
}
