package io.eley.prefetcher.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.PageSet;
import io.eley.bb.api.Split;
import io.eley.bb.api.error.ErrorCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random lives of random deployments; {@link World} checks every order. */
@Tag("slow")
@Timeout(600) // on a busy machine; it does nothing but compute
class PlannerScenariosTest {
  private static final int SCENARIOS = 1500;
  private static final int STEPS = 60;
  private static final int BLOCKS_PER_SPLIT = 2;
  private static final int BLOCK = Plans.PAGED.blockSize();
  private static final int PAGE = Plans.PAGED.pageSize();

  /** With nodes of our own, and with those whose blocks are in another engine. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyLifeKeepsTheRamBoundAndComesToItsEnd(boolean ofEngine) {
    long base = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed of the scenarios (-Deley.test.seed=...): " + base);
    for (int i = 0; i < SCENARIOS; i++) {
      long seed = base + i;
      try {
        new Life(new Random(seed), ofEngine).run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("scenario with seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  @Test
  void twoHungryApplicationsDifferByAtMostOneBlock() {
    var random = new Random(42);
    for (int i = 0; i < 200; i++) {
      int room = 1 + random.nextInt(20);
      var planner = new WavePlanner(Plans.options(1, 0), Plans.view(1));
      planner.addNode(Plans.node(1), (long) room * Plans.ROOM);
      for (String name : List.of("a", "b")) {
        var file = Plans.file("/" + name, 100);
        planner.startApplication(name);
        planner.setWaveSize(name, 12 + random.nextInt(20));
        planner.addSplits(Plans.stage(name, 0), Plans.splits(file, 1), Plans.versions(file));
      }
      Map<String, Long> shares =
          Plans.fetches(planner, 0).stream()
              .collect(Collectors.groupingBy(b -> b.file().path(), Collectors.counting()));

      long a = shares.getOrDefault("/a", 0L);
      long b = shares.getOrDefault("/b", 0L);
      assertThat(a + b).isEqualTo(room);
      assertThat(Math.abs(a - b)).isLessThanOrEqualTo(1);
    }
  }

  private static final class Life {
    private final Random random;
    private final boolean ofEngine;
    private final World world;
    private final WavePlanner planner;
    private final Map<BlockId, Integer> troubles = new HashMap<>();
    private long now;
    private int files;

    Life(Random random, boolean ofEngine) {
      this.random = random;
      this.ofEngine = ofEngine;
      int reads = random.nextInt(6);
      WindowReach reach = reads == 0 ? WindowReach.fixed(1) : WindowReach.growing(reads);
      world = new World(ofEngine, reach);
      planner = new WavePlanner(new PlanOptions(Plans.PAGED, reach, 0), Plans.view());
    }

    void run() {
      int nodes = 1 + random.nextInt(4);
      for (int i = 0; i < nodes; i++) {
        join();
      }
      start("a");
      for (int i = 0; i < STEPS; i++) {
        step();
        world.obey(planner.plan(now));
      }
      comeToTheEnd();
    }

    private void step() {
      now += random.nextInt(1_000_000_000);
      switch (random.nextInt(12)) {
        case 0 -> start(random.nextBoolean() ? "a" : "b");
        case 1 -> world.apps.values().forEach(this::resize);
        case 2 -> fail();
        case 3 -> drop();
        case 4 -> shuffleNodes();
        case 5, 6, 7 -> world.apps.values().forEach(this::endOne);
        default -> arrive(1 + random.nextInt(5));
      }
    }

    private void start(String name) {
      var app = new World.App(name);
      world.apps.put(name, app);
      planner.startApplication(name);
      resize(app);
      var file = new FileVersion("/file" + files++ % 3, 1 + random.nextInt(40 * BLOCK), 1);
      int step = (1 + random.nextInt(BLOCKS_PER_SPLIT)) * BLOCK;
      // Row groups and their columns begin anywhere: a block is read by several tasks.
      boolean exact = random.nextBoolean();
      long offset = 0;
      for (int i = 0; offset < file.length(); i++) {
        int length = exact ? step / 2 + random.nextInt(step / 2) : step;
        var split = Plans.exact(i, file, slices(exact, offset, length));
        app.splits.add(exact ? pages(file, split) : blocks(file, offset, length));
        app.planned.add(exact ? split : new Split(i, split.slices()));
        planner.addSplits(Plans.stage(name, 0), List.of(app.planned.get(i)), Plans.versions(file));
        offset += length;
      }
    }

    private long[] slices(boolean exact, long offset, int length) {
      if (!exact) {
        return new long[] {offset, length};
      }
      int column = 1 + random.nextInt(length / 3);
      long second = offset + length - column;
      return new long[] {second, column, offset, 1 + random.nextInt(column)};
    }

    /** Page by page, so that it is as simple as can be. */
    private static Map<BlockId, PageSet> pages(FileVersion file, Split split) {
      var pages = new LinkedHashMap<BlockId, PageSet>();
      for (FileSlice slice : split.slices()) {
        long end = Math.min(file.length(), slice.range().end());
        for (long at = slice.range().offset(); at < end; at = (at / PAGE + 1) * PAGE) {
          int page = (int) (at % BLOCK / PAGE);
          var block = new BlockId(file, (int) (at / BLOCK));
          pages.merge(block, PageSet.range(page, page + 1), PageSet::union);
        }
      }
      pages.replaceAll(
          (block, some) -> {
            var all = PageSet.range(0, Plans.PAGED.pageCount(Plans.PAGED.length(block)));
            return some.equals(all) ? PageSet.ALL : some;
          });
      return pages;
    }

    private static Map<BlockId, PageSet> blocks(FileVersion file, long offset, int length) {
      var blocks = new LinkedHashMap<BlockId, PageSet>();
      for (long at = offset; at < Math.min(file.length(), offset + length); at += BLOCK) {
        blocks.put(new BlockId(file, (int) (at / BLOCK)), PageSet.ALL);
      }
      return blocks;
    }

    private void resize(World.App app) {
      app.wave = random.nextInt(8);
      planner.setWaveSize(app.name, app.wave);
    }

    private void endOne(World.App app) {
      var running = world.window(app);
      if (!running.isEmpty()) {
        end(app, running.get(random.nextInt(running.size())));
      }
    }

    private void end(World.App app, int split) {
      app.ended.add(split);
      if (random.nextBoolean()) {
        planner.noteRead(Plans.stage(app.name, 0), split, app.planned.get(split).slices());
        app.told++;
      }
      planner.endTasks(Plans.stage(app.name, 0), List.of(split));
    }

    private void arrive(int most) {
      world.nodes.forEach(
          (id, ram) -> {
            if (ram.engine != null) {
              arrive(id, ram, ram.engine, most);
              return;
            }
            List<BlockId> come = ram.ordered.keySet().stream().limit(most).toList();
            come.forEach(block -> ram.present.put(block, ram.held(block)));
            come.forEach(ram.ordered::remove);
            planner.noteArrived(id, come);
          });
    }

    /** What has left is told, too, also when it was freed before: so does a real node. */
    private void arrive(NodeId id, World.Ram ram, EngineRam engine, int most) {
      int left = most;
      do {
        engine.leave().forEach(block -> noteGone(id, ram, block));
        for (BlockId block : engine.endLoads(left)) {
          left--;
          if (ram.ordered.remove(block) != null) {
            ram.present.put(block, PageSet.ALL);
          }
          planner.noteArrived(id, List.of(block));
        }
        engine.leave().forEach(block -> noteGone(id, ram, block));
        engine.beginLoads();
      } while (left > 0 && engine.loads());
    }

    private void noteGone(NodeId id, World.Ram ram, BlockId block) {
      boolean there = ram.present.remove(block) != null;
      if (ram.ordered.remove(block) != null || there) {
        ram.troubled = true;
        troubles.merge(block, 1, Integer::sum);
      }
      planner.noteDropped(id, List.of(block), now);
    }

    private void fail() {
      if (ofEngine) {
        world.nodes.forEach(
            (id, ram) ->
                Objects.requireNonNull(ram.engine)
                    .fail()
                    .forEach(
                        block -> {
                          ram.ordered.remove(block);
                          ram.troubled = true;
                          troubles.merge(block, 1, Integer::sum);
                          planner.noteFailed(id, block, ErrorCode.NO_SPACE, now);
                        }));
        return;
      }
      any(ram -> ram.ordered.keySet().stream())
          .forEach((id, block) -> planner.noteFailed(id, block, ErrorCode.NO_SPACE, now));
    }

    private void drop() {
      if (ofEngine) {
        world.nodes.forEach(
            (id, ram) ->
                Objects.requireNonNull(ram.engine)
                    .lose()
                    .forEach(block -> noteGone(id, ram, block)));
        return;
      }
      any(ram -> ram.present.keySet().stream())
          .forEach((id, block) -> planner.noteDropped(id, List.of(block), now));
    }

    private Map<NodeId, BlockId> any(Function<World.Ram, Stream<BlockId>> of) {
      var chosen = new HashMap<NodeId, BlockId>();
      world.nodes.forEach(
          (id, ram) ->
              of.apply(ram)
                  .findFirst()
                  .ifPresent(
                      block -> {
                        ram.ordered.remove(block);
                        ram.present.remove(block);
                        ram.troubled = true;
                        troubles.merge(block, 1, Integer::sum);
                        chosen.put(id, block);
                      }));
      return chosen;
    }

    private void shuffleNodes() {
      if (random.nextBoolean() && world.nodes.size() < 5) {
        join();
      } else if (world.nodes.size() > 1) {
        NodeId gone = new ArrayList<>(world.nodes.keySet()).get(0);
        world.nodes.remove(gone);
        planner.removeNode(gone);
        review();
      }
    }

    private void join() {
      var id = Plans.node(random.nextInt(1000));
      // Room for the running splits of both applications at least, or nothing would move; and for
      // a block of which a part is fetched.
      long capacity = (2L * (BLOCKS_PER_SPLIT + 1) + 1 + random.nextInt(50)) * World.FOOTPRINT;
      world.nodes.put(id, new World.Ram(capacity, ofEngine));
      planner.addNode(id, capacity);
      review();
    }

    private void review() {
      int[] numbers =
          world.nodes.keySet().stream()
              .mapToInt(n -> Integer.parseInt(n.value().substring(1)))
              .toArray();
      world.view = ofEngine ? Plans.viewOfEngine(numbers) : Plans.view(numbers);
      planner.setView(world.view);
    }

    /**
     * No more trouble: the oldest task of each application ends as soon as its blocks are there.
     */
    private void comeToTheEnd() {
      int left = world.apps.values().stream().mapToInt(a -> a.splits.size()).sum();
      for (int round = 0; round <= 4 * left + 40; round++) {
        now += 10_000_000_000L;
        world.obey(planner.plan(now));
        arrive(Integer.MAX_VALUE);
        world.apps.values().forEach(this::endOldest);
      }
      assertThat(world.apps.values()).allSatisfy(a -> assertThat(world.window(a)).isEmpty());
      world.obey(planner.plan(now));
      assertThat(world.nodes.values())
          .allSatisfy(ram -> assertThat(ram.bytes()).as("all is freed").isZero());
      if (ofEngine) {
        arrive(Integer.MAX_VALUE);
        assertThat(world.nodes.values())
            .allSatisfy(
                ram ->
                    assertThat(Objects.requireNonNull(ram.engine).used())
                        .as("all has left")
                        .isZero());
      }
    }

    private void endOldest(World.App app) {
      world.window(app).stream()
          .findFirst()
          .filter(split -> app.splits.get(split).entrySet().stream().allMatch(this::there))
          .ifPresent(split -> end(app, split));
    }

    /** In RAM, or left to demand after its last attempt. */
    private boolean there(Map.Entry<BlockId, PageSet> part) {
      BlockId block = part.getKey();
      boolean givenUp = troubles.getOrDefault(block, 0) >= PlanOptions.Retries.DEFAULT.attempts();
      return givenUp
          || world.nodes.values().stream()
              .map(ram -> ram.present.get(block))
              .anyMatch(there -> there != null && there.containsAll(part.getValue()));
    }
  }
}
