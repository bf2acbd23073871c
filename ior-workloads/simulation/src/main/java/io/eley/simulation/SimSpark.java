package io.eley.simulation;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.ByteRange;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.Placement;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.controller.loop.PlanLoop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The map phase of a Spark application: splits in order, as many tasks at once as there are slots.
 * A task takes its input block by block, computing on each before it asks for the next, as a
 * stream's reader does.
 */
final class SimSpark {
  /** What the tasks work with. */
  record Surroundings(Agenda agenda, Watch watch, BlockGeometry geometry, Random random) {}

  private final String name;
  private final Scenario.SparkJob job;
  private final FileVersion file;
  private final StageId stage;
  private final Surroundings world;
  private final Function<BlockId, @Nullable SimNode> owner;
  private final Network.Path toCoordinator;
  private final PlanLoop plans;
  private final long networkNanos;
  private final double ramBytesPerSecond;
  private final IntFunction<Mount> pastBuffer;
  private int started;
  private int ended;
  private long waveBegin;
  private long mapNanos;
  private boolean over;

  /**
   * Where blocks are, and how they come from there.
   *
   * @param pastBuffer by which the task of a split reads the origin itself
   */
  record Buffer(
      Function<BlockId, @Nullable SimNode> owner,
      long networkNanos,
      double bytesPerSecond,
      IntFunction<Mount> pastBuffer) {}

  SimSpark(
      String name,
      Scenario.SparkJob job,
      Surroundings world,
      Buffer buffer,
      PlanLoop plans,
      Network.Path toCoordinator) {
    this.name = name;
    this.job = job;
    this.world = world;
    this.owner = buffer.owner();
    this.networkNanos = buffer.networkNanos();
    this.ramBytesPerSecond = buffer.bytesPerSecond();
    this.pastBuffer = buffer.pastBuffer();
    this.plans = plans;
    this.toCoordinator = toCoordinator;
    file = new FileVersion("/" + name, job.splits() * job.splitBytes(), 1);
    stage = new StageId(name, 0, 0);
  }

  /** Reports the driver's plan and starts the first wave. */
  void start() {
    var splits = new ArrayList<Split>();
    for (int i = 0; i < job.splits(); i++) {
      splits.add(new Split(i, List.of(slice(i))));
    }
    toCoordinator.sendSurely(
        () -> {
          plans.startApplication(name);
          plans.setWaveSize(name, job.slots());
          plans.addSplits(stage, splits, Map.of(file.path(), file));
        });
    startWave();
  }

  private FileSlice slice(int split) {
    return new FileSlice(file.path(), new ByteRange(split * job.splitBytes(), job.splitBytes()));
  }

  private void startWave() {
    waveBegin = world.agenda().now();
    for (int i = 0; i < job.slots() && started < job.splits(); i++) {
      startTask(started++);
    }
  }

  private void startTask(int split) {
    long begin = split * job.splitBytes();
    double rate =
        job.computeBytesPerSecond() * (1 + job.spread() * (2 * world.random().nextDouble() - 1));
    read(split, begin, begin + job.splitBytes(), rate);
  }

  private void read(int split, long at, long end, double rate) {
    if (at >= end) {
      endTask(split);
      return;
    }
    var block = new BlockId(file, world.geometry().blockIndex(at));
    long blockEnd = world.geometry().range(block).end();
    long length = Math.min(end, blockEnd) - at;
    long asked = world.agenda().now();
    obtain(
        split,
        block,
        new ByteRange(at, length),
        () -> {
          world.watch().waited(world.agenda().now() - asked);
          long compute = (long) (length / rate * 1e9);
          world.agenda().after(compute, () -> read(split, at + length, end, rate));
        });
  }

  /** Reads from the node that owns the block, or, when none can serve, from the origin. */
  private void obtain(int split, BlockId block, ByteRange range, Runnable done) {
    SimNode node = owner.apply(block);
    if (node == null) {
      readDirect(split, range, done);
      return;
    }
    Runnable there =
        () -> {
          if (node.has(block)) {
            long transfer = (long) (range.length() / ramBytesPerSecond * 1e9);
            world.agenda().after(networkNanos + transfer, done);
          } else {
            readDirect(split, range, done); // it died, or the block went away meanwhile
          }
        };
    world
        .agenda()
        .after(
            networkNanos,
            () -> {
              if (!node.want(block, there)) {
                readDirect(split, range, done);
              }
            });
  }

  private void readDirect(int split, ByteRange range, Runnable done) {
    world.watch().countPast(range.length());
    pastBuffer.apply(split).move(file.path(), range, done);
  }

  private void endTask(int split) {
    ended++;
    toCoordinator.sendSurely(
        () -> {
          plans.noteRead(stage, split, List.of(slice(split)));
          plans.endTasks(stage, List.of(split));
        });
    boolean iterates = job.otherWorkSeconds() > 0;
    if (ended == job.splits() || (iterates && ended == started)) {
      mapNanos += world.agenda().now() - waveBegin;
    }
    if (started < job.splits()) {
      if (!iterates) {
        startTask(started++);
      } else if (ended == started) {
        world.agenda().after((long) (job.otherWorkSeconds() * 1e9), this::startWave);
      }
    } else if (ended == job.splits()) {
      over = true;
      toCoordinator.sendSurely(() -> plans.endStage(stage));
    }
  }

  boolean over() {
    return over;
  }

  /** The map time of all waves together, without the other work between them. */
  double mapSeconds() {
    return mapNanos / 1e9;
  }

  /** The owner of each block in a view, computed as clients do. */
  static Function<BlockId, @Nullable NodeAddress> placement(io.eley.bb.api.ClusterView view) {
    var rankings = new HashMap<String, List<NodeAddress>>();
    return block ->
        Placement.nodeOf(
                rankings.computeIfAbsent(block.file().path(), p -> Placement.rank(view, p)),
                block.index())
            .orElse(null);
  }
}
