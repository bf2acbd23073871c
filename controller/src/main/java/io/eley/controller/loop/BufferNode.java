package io.eley.controller.loop;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Permit;
import java.util.List;

/**
 * The port to one node of a buffer, whatever runs it: a node of ours behind a connection, a
 * simulated one, or the worker of another engine (Alluxio) behind an adapter.
 *
 * <p>What stands behind it must promise:
 *
 * <ul>
 *   <li><b>Permits.</b> It reads nothing from the origin ahead of tasks without a live permit, in
 *       chunks that are short (a chunk that was begun may end, nothing else may begin), and obeys a
 *       permit within milliseconds of getting it. An engine without permits needs an adapter that
 *       loads block by block and looks at the permit before each. A permit that has lapsed is a
 *       closed one.
 *   <li><b>Confirmation.</b> Each permit that it obeys it confirms, by {@link ControlLoop#confirm},
 *       with what it has moved since its start: bytes read from the origin by cause, and how many
 *       fetches wait. The bytes never fall while the node lives. The confirmation of a closed
 *       permit says that no chunk begins any more.
 *   <li><b>Orders.</b> It fetches what it is ordered to, in that order, frees what it is told to,
 *       and reports each block that arrives, is dropped or fails, by {@link PlanLoop}: arrived is
 *       one when all of its pages are there that were ordered so far. It may fetch more of a block
 *       than it is ordered to. An order that is lost may be lost: then tasks wait for the read.
 * </ul>
 *
 * <p>The loops call from one thread. No method blocks or throws; what cannot be delivered is
 * dropped, and the node's silence shows it.
 */
public interface BufferNode {
  NodeId id();

  /** Sends a permit; each one's sequence is larger than that of all before. */
  void grant(Permit permit);

  /** Orders the removal of blocks that no task will read any more. */
  void free(List<BlockId> blocks);

  /**
   * Orders the fetch of parts of blocks, the most urgent first. Of a block that was ordered before
   * the part holds those pages, too.
   */
  void fetch(List<BlockPart> parts);
}
