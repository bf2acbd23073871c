package io.eley.bb.server.node;

import io.eley.bb.api.BlockId;
import io.eley.bb.server.store.StoredBlock;
import java.util.HashMap;
import java.util.Map;

/**
 * How much of a node's RAM all clients together have leased. A leased block cannot be evicted, so
 * leases leave an eighth of the RAM for blocks that arrive: 128 MiB of 1 GiB. What is refused is
 * read over the connection. A block that several have leased counts once.
 *
 * <p>Safe for several threads: each session's event loop adds and removes.
 */
final class LeasedRoom {
  private final long most;
  private final Map<BlockId, Integer> leases = new HashMap<>();
  private long bytes;

  /**
   * Nothing is leased yet.
   *
   * @param capacityBytes what the node's blocks may take
   */
  LeasedRoom(long capacityBytes) {
    most = capacityBytes - capacityBytes / 8;
  }

  /** Counts a lease, if there is room for it. */
  synchronized boolean add(StoredBlock block) {
    int before = leases.getOrDefault(block.id(), 0);
    if (before == 0) {
      if (block.length() > most - bytes) {
        return false;
      }
      bytes += block.length();
    }
    leases.put(block.id(), before + 1);
    return true;
  }

  /** Notes that a lease that was counted has ended. */
  synchronized void remove(StoredBlock block) {
    if (leases.merge(block.id(), -1, Integer::sum) == 0) {
      leases.remove(block.id());
      bytes -= block.length();
    }
  }
}
