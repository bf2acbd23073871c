package io.eley.prefetcher.plan;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.PageSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * An application's window while it is made: it is offered the unfinished splits in their order and
 * takes them until it reaches as far as {@link WindowReach} says.
 *
 * <p>As long as nodes, wave, trust and holds stay the same a task's end lets nothing out of the
 * window but what that task alone wanted: of the splits that stay each has fewer blocks and bytes
 * before it than it had. Blocks count as ahead also where a running task wants them, too, or that
 * would not hold.
 *
 * <p>Not thread-safe.
 */
final class Window {
  /**
   * What windows grow into.
   *
   * @param nodes that read
   * @param capacityBytes that all have room for together
   */
  record Room(int nodes, long capacityBytes) {}

  private final BlockGeometry geometry;
  private final int waveSize;
  private final int leastSplits;
  private final int mostSplits;
  private final int splitsOfHold;
  private final int enoughAhead;
  private final long roomBytes;
  private final Map<BlockId, PageSet> parts = new LinkedHashMap<>();
  private final Set<BlockId> ahead = new HashSet<>();
  private int splits;

  /** Of the parts; counted from the first split on that may be one too many. */
  private long bytes;

  private boolean complete;

  /**
   * An empty window.
   *
   * @param waveSize tasks that can run at once; zero is "not known yet"
   * @param tasksOfHold that are expected to end while prefetching is held back
   */
  Window(PlanOptions options, int waveSize, int tasksOfHold, Room room) {
    geometry = options.geometry();
    this.waveSize = waveSize;
    WindowReach reach = options.reach();
    leastSplits = reach.leastSplits(waveSize);
    mostSplits = reach.mostSplits(waveSize);
    splitsOfHold = reach.splitsOfHold(waveSize, tasksOfHold);
    enoughAhead = reach.grows() ? reach.blocksAhead(room.nodes()) : 0;
    roomBytes = WindowReach.room(room.capacityBytes());
  }

  /** Whether it has taken all that it will take. */
  boolean complete() {
    return complete;
  }

  /**
   * Takes a split, or does not and is complete.
   *
   * @param trust what its stage's plan is worth
   */
  void offer(PlannedSplit split, ReadShare.Trust trust) {
    complete = complete || !reachesTo(split, trust);
    if (!complete) {
      if (trust != ReadShare.Trust.NONE) {
        split.forEach(this::add);
      }
      splits++;
    }
  }

  private boolean reachesTo(PlannedSplit split, ReadShare.Trust trust) {
    if (splits < leastSplits) {
      return true;
    }
    if (trust != ReadShare.Trust.CONFIRMED || reachesFarEnough()) {
      return false;
    }
    if (splits == leastSplits) {
      bytes = 0;
      parts.forEach((block, pages) -> bytes += length(block, pages));
    }
    return bytes + bytesOf(split) <= roomBytes;
  }

  private boolean reachesFarEnough() {
    boolean keepsNodesReading = splits >= mostSplits || ahead.size() >= enoughAhead;
    return keepsNodesReading && splits >= splitsOfHold;
  }

  /** How much larger the window would be. */
  private long bytesOf(PlannedSplit split) {
    var sum = new long[1];
    split.forEach((block, pages) -> sum[0] += more(block, pages));
    return sum[0];
  }

  private int more(BlockId block, PageSet pages) {
    PageSet before = parts.get(block);
    return before == null
        ? length(block, pages)
        : length(block, before.union(pages)) - length(block, before);
  }

  private int length(BlockId block, PageSet pages) {
    return geometry.length(new BlockPart(block, pages));
  }

  private void add(BlockId block, PageSet pages) {
    if (splits >= leastSplits) {
      bytes += more(block, pages);
    }
    parts.merge(block, pages, PageSet::union);
    if (splits >= waveSize && ahead.size() < enoughAhead) {
      ahead.add(block);
    }
  }

  /**
   * The blocks of the window, the most urgent first, with all pages that any of its splits needs.
   */
  Map<BlockId, PageSet> parts() {
    return parts;
  }
}
