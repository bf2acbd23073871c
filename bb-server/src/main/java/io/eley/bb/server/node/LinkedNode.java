package io.eley.bb.server.node;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Permit;
import io.eley.bb.api.ReadTime;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.MetadataMessage.View;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.bb.api.wire.ScratchMessage.DropScratch;
import java.util.Collection;
import java.util.List;

/** The node as its link to the coordinator sees it. Safe for several threads. */
interface LinkedNode {
  NodeId id();

  /**
   * This node's address.
   *
   * @param localHost address of our end of the connection
   */
  NodeAddress address(String localHost);

  /** The RAM budget. */
  long capacityBytes();

  /**
   * Notes a new connection: its permits are applied though those of a former connection may have
   * larger numbers.
   */
  void acceptNewCoordinator();

  /**
   * Sets the view. May block on the first view, which says how to open the store.
   *
   * @throws EleyException when the node cannot work in this deployment; trying again is no use
   */
  void setView(View view) throws EleyException;

  /** Obeys the permit from the moment this returns; false when a newer one is known. */
  boolean permit(Permit permit);

  /** Fetches these parts of blocks in this order. */
  void fetch(List<BlockPart> parts);

  /** Marks blocks that nobody plans to read any more. */
  void free(List<BlockId> blocks);

  /** Notes that no free order will come for what was ordered before. */
  void forgetOrders();

  /** Deletes intermediate data that nobody will read; blocks for that. */
  void dropScratch(DropScratch which);

  NodeCounters counters();

  /** The reads of the origin that are under way, and how long they have taken by now. */
  List<ReadTime> readsUnderWay();

  Collection<BlockId> inventory();
}
