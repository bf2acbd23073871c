package io.eley.bb.server.node;

import io.eley.bb.server.store.StoredBlock;
import java.util.HashMap;
import java.util.Map;

/**
 * Blocks that one session's client reads directly; pinned until released or until the session ends.
 * Used on the session's event loop only.
 */
final class Leases {
  /** Blocks one client may hold; it holds one for each stream it has open. */
  static final int MAX = 4096;

  private final Map<Long, StoredBlock> held = new HashMap<>();
  private long next = 1;

  boolean full() {
    return held.size() >= MAX;
  }

  /** Takes over the pin. */
  long add(StoredBlock block) {
    held.put(next, block);
    return next++;
  }

  /** Unpins; a lease that is not there is fine, since its client may ask twice. */
  boolean release(long lease) {
    StoredBlock block = held.remove(lease);
    if (block == null) {
      return false;
    }
    block.close();
    return true;
  }

  void releaseAll() {
    held.values().forEach(StoredBlock::close);
    held.clear();
  }
}
