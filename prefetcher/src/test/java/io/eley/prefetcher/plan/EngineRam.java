package io.eley.prefetcher.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.ReadCause;
import io.eley.bb.server.engine.EngineBlocks;
import java.util.ArrayList;
import java.util.List;

/**
 * A node whose blocks are in another engine, with the state of a real one. A load is one call for a
 * whole block: what is freed meanwhile arrives, and leaves then. What leaves takes its room until
 * it has left.
 */
final class EngineRam {
  /** Loads that go on at a time. */
  private static final int FETCHES = 2;

  private final long capacity;
  private final EngineBlocks<String> blocks;
  private final List<BlockId> loading = new ArrayList<>();
  private final List<BlockId> there = new ArrayList<>();

  EngineRam(long capacity) {
    this.capacity = capacity;
    blocks = new EngineBlocks<>(capacity, Plans.PAGED::length);
  }

  void obey(NodeOrders orders) {
    blocks.free(orders.free());
    for (BlockPart part : orders.fetch()) {
      assertThat(part.pages().isAll()).as("%s is ordered of an engine", part).isTrue();
      if (blocks.order(part.block())) {
        there.add(part.block());
      }
    }
  }

  /** The loads that end now, and what was ordered and is there already. */
  List<BlockId> endLoads(int most) {
    List<BlockId> come = new ArrayList<>(there);
    there.clear();
    for (int i = 0; i < most && !loading.isEmpty(); i++) {
      BlockId block = loading.remove(0);
      assertThat(blocks.loaded(block)).as("no task waits in these lives").isEmpty();
      come.add(block);
    }
    return come;
  }

  /** What has left the engine now, as far as nobody waits for it again. */
  List<BlockId> leave() {
    var gone = new ArrayList<BlockId>();
    for (BlockId next = blocks.takeLeaving(); next != null; next = blocks.takeLeaving()) {
      if (blocks.left(next)) {
        gone.add(next);
      }
    }
    return gone;
  }

  /** Begins to load what there is room for. */
  void beginLoads() {
    while (loading.size() < FETCHES) {
      BlockId next = blocks.first(ReadCause.PREFETCH).orElse(null);
      if (next == null || !blocks.makeRoom(Plans.PAGED.length(next), ReadCause.PREFETCH)) {
        break;
      }
      blocks.begin(ReadCause.PREFETCH);
      loading.add(next);
    }
    assertThat(blocks.used()).as("bytes in the engine").isLessThanOrEqualTo(capacity);
  }

  /** The load that has gone on for longest fails. */
  List<BlockId> fail() {
    if (loading.isEmpty()) {
      return List.of();
    }
    BlockId failed = loading.remove(0);
    assertThat(blocks.failed(failed)).isEmpty();
    return List.of(failed);
  }

  /** The engine has lost all that was there. */
  List<BlockId> lose() {
    return blocks.lose();
  }

  boolean loads() {
    return !loading.isEmpty() || blocks.queued() > 0;
  }

  long used() {
    return blocks.used();
  }
}
