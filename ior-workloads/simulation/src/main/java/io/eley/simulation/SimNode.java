package io.eley.simulation;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Permit;
import io.eley.bb.api.ReadTime;
import io.eley.bb.api.permit.PermitGate;
import io.eley.controller.loop.Moved;
import java.util.List;
import java.util.function.LongSupplier;

/** A node, as its coordinator and tasks see it. */
interface SimNode {
  /** The node's reports to the coordinator. */
  interface Reports {
    void arrived(BlockId block);

    void dropped(BlockId block);

    void confirmed(long sequence, Moved moved);

    /** How long reads of the origin took, and how long those that are under way have taken. */
    default void read(List<ReadTime> ended, List<ReadTime> underWay) {}
  }

  /** Hardware of a node. */
  record Hardware(long capacity, int fetchers) {}

  /** What a node works with. */
  record Surroundings(Agenda agenda, Mount origin, Watch watch, Reports reports) {}

  /** Makes nodes of one kind. */
  interface Maker {
    /**
     * A node without blocks.
     *
     * @param gate of this node; its clock may run apart from the agenda's
     */
    SimNode make(
        NodeId id,
        Hardware hardware,
        BlockGeometry geometry,
        PermitGate gate,
        Surroundings surroundings);
  }

  /** A gate on a clock that is off by a constant. */
  static LongSupplier skewed(Agenda agenda, long offsetNanos) {
    return () -> agenda.now() + offsetNanos;
  }

  NodeId id();

  long capacity();

  /** Whether its blocks are in another engine. */
  default boolean ofEngine() {
    return false;
  }

  boolean alive();

  /** Ends the process: no request is answered any more, and those that wait fail. */
  void die();

  /** So many nodes are in the deployment now. */
  void learnView(int nodes);

  void apply(Permit permit);

  /** Reports the reads that are under way, which happens now and then. */
  default void reportUnderWay() {}

  /** The blocks that are complete in RAM. */
  List<BlockId> inventory();

  /** Fetches blocks of which parts are ordered, all of each. */
  void fetch(List<BlockPart> ordered);

  void free(List<BlockId> unwanted);

  /**
   * A task wants a block.
   *
   * @param there runs when it is complete in RAM, or when the node dies; the task looks again then
   * @return whether the node takes it on; otherwise the task reads the origin itself
   */
  boolean want(BlockId id, Runnable there);

  boolean has(BlockId id);
}
