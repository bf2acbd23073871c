package io.eley.bb.server.node;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Permit;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.MetadataMessage.View;
import io.eley.bb.api.wire.NodeCounters;
import java.util.Collection;
import java.util.List;

/** The node as its link to the coordinator sees it. Safe for several threads. */
interface LinkedNode {
  NodeId id();

  /**
   * Who we are, and where.
   *
   * @param localHost address of our end of the connection
   */
  NodeAddress address(String localHost);

  /** The RAM budget. */
  long capacityBytes();

  /** A new connection: what was permitted over another one counts no more as newer. */
  void acceptNewCoordinator();

  /**
   * The view now holds. May block on the first one, which tells what to open the store with.
   *
   * @throws EleyException when the node cannot work in this deployment; trying again is no use
   */
  void setView(View view) throws EleyException;

  /** Obeys the permit from the moment this returns; false when a newer one is known. */
  boolean permit(Permit permit);

  /** Fetch these in this order. */
  void fetch(List<BlockId> blocks);

  /** Nobody plans to read these. */
  void free(List<BlockId> blocks);

  NodeCounters counters();

  Collection<BlockId> inventory();
}
