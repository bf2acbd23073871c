package io.eley.bb.server.node;

import io.eley.bb.server.store.StoredBlock;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Blocks that one session's client reads directly; pinned until released or until the session ends.
 * Used on the session's event loop only.
 */
final class Leases {
  /** Blocks one client may hold over one connection. */
  static final int MAX = 4096;

  private final LeasedRoom room;
  private final Map<Long, StoredBlock> held = new HashMap<>();
  private long next = 1;

  /**
   * None yet.
   *
   * @param room of the node, for all its clients
   */
  Leases(LeasedRoom room) {
    this.room = room;
  }

  /** Takes over the pin; empty, and the pin is the caller's, when no more may be leased. */
  OptionalLong add(StoredBlock block) {
    if (held.size() >= MAX || !room.add(block)) {
      return OptionalLong.empty();
    }
    held.put(next, block);
    return OptionalLong.of(next++);
  }

  /** Unpins; a lease that is not there is fine, since its client may ask twice. */
  boolean release(long lease) {
    StoredBlock block = held.remove(lease);
    if (block == null) {
      return false;
    }
    end(block);
    return true;
  }

  void releaseAll() {
    held.values().forEach(this::end);
    held.clear();
  }

  private void end(StoredBlock block) {
    room.remove(block);
    block.close();
  }
}
