package io.eley.prefetcher.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.PageSet;
import io.eley.bb.api.Placement;
import io.eley.bb.api.Split;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The nodes as the planner should see them, checking every order against what it promises. */
final class World {
  /** What a whole block takes of a node's RAM. */
  static final int FOOTPRINT = Plans.PAGED.blockSize() + Plans.BLOCK;

  /** A node: what was ordered and not heard of, and what is in its RAM. */
  static final class Ram {
    final long capacity;

    /** What is in the engine; null of a node of our own. */
    final @Nullable EngineRam engine;

    final Map<BlockId, PageSet> ordered = new LinkedHashMap<>();

    /** Ordered, and not freed since. */
    final Set<BlockId> kept = new HashSet<>();

    final Map<BlockId, PageSet> present = new LinkedHashMap<>();

    /** Whether room may be kept for a block that is ordered again later. */
    boolean troubled;

    Ram(long capacity, boolean ofEngine) {
      this.capacity = capacity;
      engine = ofEngine ? new EngineRam(capacity) : null;
    }

    /** What is there or will be. */
    @Nullable PageSet held(BlockId block) {
      PageSet there = present.get(block);
      PageSet waiting = ordered.get(block);
      if (there == null || waiting == null) {
        return there == null ? waiting : there;
      }
      return there.union(waiting);
    }

    long bytes() {
      var blocks = new HashSet<>(ordered.keySet());
      blocks.addAll(present.keySet());
      return blocks.stream().mapToLong(this::room).sum();
    }

    /** What it takes; of what is being fetched a node reserves the whole block. */
    private int room(BlockId block) {
      PageSet pages =
          ordered.containsKey(block) ? PageSet.ALL : Objects.requireNonNull(held(block));
      var part = new BlockPart(block, pages);
      return engine == null ? Plans.PAGED.footprint(part) : Plans.PAGED.length(part);
    }

    private static int size(BlockId block, PageSet pages) {
      return Plans.PAGED.length(new BlockPart(block, pages));
    }
  }

  /** An application in the simplest form that can be right. */
  static final class App {
    final String name;
    final List<Map<BlockId, PageSet>> splits = new ArrayList<>();
    final List<Split> planned = new ArrayList<>();
    final Set<Integer> ended = new HashSet<>();

    /** Tasks that have told that they read all that was planned for them. */
    int told;

    int wave;

    App(String name) {
      this.name = name;
    }

    private List<Integer> unfinished() {
      return IntStream.range(0, splits.size()).filter(i -> !ended.contains(i)).boxed().toList();
    }

    /** What some splits need, of each block once. */
    private Map<BlockId, PageSet> parts(List<Integer> some) {
      var parts = new HashMap<BlockId, PageSet>();
      some.forEach(i -> splits.get(i).forEach((b, pages) -> parts.merge(b, pages, PageSet::union)));
      return parts;
    }
  }

  final Map<NodeId, Ram> nodes = new TreeMap<>();
  final Map<String, App> apps = new TreeMap<>();
  private final boolean ofEngine;
  private final WindowReach reach;
  ClusterView view = Plans.view();

  /** Whose nodes have their blocks in another engine, which has no parts of blocks, or have not. */
  World(boolean ofEngine, WindowReach reach) {
    this.ofEngine = ofEngine;
    this.reach = reach;
  }

  /** The splits of the window, split by split and each time from the beginning. */
  List<Integer> window(App app) {
    List<Integer> unfinished = app.unfinished();
    int least = app.wave == 0 ? PlanOptions.FIRST_WINDOW : (1 + reach.leastWaves()) * app.wave;
    int end = Math.min(unfinished.size(), least);
    while (app.told >= ReadShare.FIRST
        && end < Math.min(unfinished.size(), (1 + reach.mostWaves()) * app.wave)
        && app.parts(unfinished.subList(app.wave, end)).size()
            < 2 * reach.readsOfNode() * nodes.size()
        && 2 * bytes(app.parts(unfinished.subList(0, end + 1))) <= capacity()) {
      end++;
    }
    return unfinished.subList(0, end);
  }

  private static long bytes(Map<BlockId, PageSet> parts) {
    return parts.entrySet().stream().mapToLong(e -> Ram.size(e.getKey(), e.getValue())).sum();
  }

  private long capacity() {
    return nodes.values().stream().mapToLong(ram -> ram.capacity).sum();
  }

  Map<BlockId, PageSet> needed() {
    var needed = new HashMap<BlockId, PageSet>();
    for (App app : apps.values()) {
      for (int split : window(app)) {
        app.splits
            .get(split)
            .forEach((block, p) -> needed.merge(block, ofEngine ? PageSet.ALL : p, PageSet::union));
      }
    }
    return needed;
  }

  void obey(List<NodeOrders> orders) {
    var needed = needed();
    var freed = new HashSet<NodeId>();
    for (NodeOrders order : orders) {
      Ram ram = ram(order.node());
      if (ram.engine != null) {
        ram.engine.obey(order);
      }
      for (BlockId block : order.free()) {
        boolean had = ram.present.remove(block) != null;
        boolean waited = ram.ordered.remove(block) != null;
        assertThat(ram.kept.remove(block) || had || waited)
            .as("%s is freed but was never there", block)
            .isTrue();
        if (had && !ram.troubled && needed.containsKey(block) && ownedBy(order.node(), block)) {
          freed.add(order.node());
        }
      }
      for (BlockPart part : order.fetch()) {
        assertThat(needed).as("only what a window needs is fetched").containsKey(part.block());
        assertThat(ownedBy(order.node(), part.block())).as("%s at its owner", part).isTrue();
        fetch(ram, part, Objects.requireNonNull(needed.get(part.block())));
      }
    }
    nodes.forEach(
        (id, ram) -> assertThat(ram.bytes()).as("RAM of %s", id).isLessThanOrEqualTo(ram.capacity));
    freed.forEach(id -> assertFull(id, "needed blocks are freed for more urgent ones only"));
    needed.forEach(this::assertOrdered);
  }

  private static void fetch(Ram ram, BlockPart part, PageSet needed) {
    PageSet held = ram.held(part.block());
    if (held == null) {
      assertThat(needed.containsAll(part.pages())).as("%s for %s", part, needed).isTrue();
    } else {
      assertThat(held.containsAll(part.pages())).as("%s ordered again", part).isFalse();
      assertThat(part.pages().containsAll(held)).as("%s with %s", part, held).isTrue();
      assertThat(held.union(needed).containsAll(part.pages())).as("%s at all", part).isTrue();
    }
    ram.ordered.put(part.block(), part.pages());
    ram.kept.add(part.block());
  }

  /** All pages of all windows are at their nodes or on their way, as far as there is room. */
  private void assertOrdered(BlockId block, PageSet needed) {
    NodeId owner = Placement.nodeOf(view, block).orElseThrow().id();
    PageSet held = ram(owner).held(block);
    if (!ram(owner).troubled && (held == null || !held.containsAll(needed))) {
      assertFull(owner, needed + " of " + block + " are wanted");
    }
  }

  private void assertFull(NodeId node, String why) {
    long capacity = ram(node).capacity;
    long toFetchParts = ofEngine ? 0 : Math.max(FOOTPRINT, capacity / 8);
    assertThat(capacity - ram(node).bytes()).as(why).isLessThan(FOOTPRINT + toFetchParts);
  }

  private Ram ram(NodeId node) {
    return Objects.requireNonNull(nodes.get(node), () -> node + " is not there");
  }

  private boolean ownedBy(NodeId node, BlockId block) {
    return Placement.nodeOf(view, block).orElseThrow().id().equals(node);
  }
}
