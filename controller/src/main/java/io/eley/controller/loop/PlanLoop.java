package io.eley.controller.loop;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.error.ErrorCode;
import io.eley.prefetcher.plan.ApplicationFigures;
import io.eley.prefetcher.plan.BlockFacts;
import io.eley.prefetcher.plan.HoldCover;
import io.eley.prefetcher.plan.NodeOrders;
import io.eley.prefetcher.plan.WavePlanner;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Makes orders from plans. It exists once: the coordinator's process and the simulation both run
 * this class.
 *
 * <p>Drivers' and nodes' reports come in bursts, each of which changes little. So one plan is made
 * a moment after the first of them, and the moment is long enough that planning takes a fifth of
 * the thread's time at most: the same thread grants permits.
 *
 * <p>Not thread-safe: one thread owns it, the {@link Timeline}'s. Nothing here blocks.
 */
public final class PlanLoop {
  /** The least time from the first change to the plan. */
  private static final Duration MOMENT = Duration.ofMillis(10);

  /** Pause before a plan, as a multiple of what the last plan took. */
  private static final int PAUSE = 4;

  private final WavePlanner planner;
  private final Timeline timeline;
  private final PlanCost cost;
  private final boolean prefetches;
  private final HoldCover cover = new HoldCover();
  private final Map<NodeId, BufferNode> nodes = new TreeMap<>();
  private boolean scheduled;
  private Duration moment = MOMENT;

  /**
   * A loop without nodes and applications.
   *
   * @param prefetches whether anything is ordered at all
   */
  public PlanLoop(WavePlanner planner, Timeline timeline, PlanCost cost, boolean prefetches) {
    this.planner = planner;
    this.timeline = timeline;
    this.cost = cost;
    this.prefetches = prefetches;
  }

  /** Adds a node; one of the same id begins anew, and nothing is known of what it has. */
  public void join(BufferNode node, long capacityBytes) {
    nodes.put(node.id(), node);
    planner.addNode(node.id(), capacityBytes);
    planSoon();
  }

  /** Takes how much input a node has room for now. */
  public void resize(NodeId node, long capacityBytes) {
    if (planner.setCapacity(node, capacityBytes)) {
      planSoon();
    }
  }

  /** Forgets nodes that have left. */
  public void leave(List<NodeId> gone) {
    gone.forEach(nodes::remove);
    gone.forEach(planner::removeNode);
    planSoon();
  }

  /** Takes the view by which clients and nodes place blocks from now on. */
  public void setView(ClusterView view) {
    planner.setView(view);
    planSoon();
  }

  /** Begins an application; see {@link WavePlanner#startApplication}. */
  public boolean startApplication(String application) {
    boolean room = planner.startApplication(application);
    if (room) {
      cover.startApplication(application, timeline.now());
      planner.setTasksOfHold(application, cover.tasks(application));
    }
    planSoon();
    return room;
  }

  public void endApplication(String application) {
    planner.endApplication(application);
    cover.endApplication(application);
    planSoon();
  }

  /** Sets how many tasks of the application run at once; zero is "not known yet". */
  public void setWaveSize(String application, int tasks) {
    planner.setWaveSize(application, tasks);
    cover.setWaveSize(application, tasks);
    planSoon();
  }

  /** Adds splits to a stage; see {@link WavePlanner#addSplits}. */
  public boolean addSplits(StageId stage, List<Split> splits, Map<String, FileVersion> versions) {
    boolean all = planner.addSplits(stage, splits, versions);
    planSoon();
    return all;
  }

  /** Notes that tasks have succeeded; their splits may become known later than that. */
  public void endTasks(StageId stage, Collection<Integer> partitions) {
    planner.endTasks(stage, partitions);
    if (cover.endTasks(stage.application(), partitions.size(), timeline.now())) {
      planner.setTasksOfHold(stage.application(), cover.tasks(stage.application()));
    }
    planSoon();
  }

  /** Prefetches nothing for a stage yet; see {@link WavePlanner#makeTentative}. */
  public void makeTentative(StageId stage) {
    planner.makeTentative(stage);
    planSoon();
  }

  /** Notes what a task has read; see {@link WavePlanner#noteRead}. */
  public void noteRead(StageId stage, int partition, List<FileSlice> read) {
    planner.noteRead(stage, partition, read);
    planSoon();
  }

  public void endStage(StageId stage) {
    planner.endStage(stage);
    planSoon();
  }

  /** Takes the version that a file has now; returns whether any plan had another one. */
  public boolean replace(FileVersion file) {
    boolean planned = planner.replace(file);
    if (planned) {
      planSoon();
    }
    return planned;
  }

  /** Notes that blocks are complete in a node's RAM. */
  public void noteArrived(NodeId node, Collection<BlockId> blocks) {
    planner.noteArrived(node, blocks);
    planSoon();
  }

  /** Notes that of blocks those pages are in a node's RAM that were ordered. */
  public void notePartsArrived(NodeId node, Collection<BlockId> blocks) {
    planner.notePartsArrived(node, blocks);
    planSoon();
  }

  /** Notes that blocks are not in a node's RAM any more. */
  public void noteDropped(NodeId node, Collection<BlockId> blocks) {
    planner.noteDropped(node, blocks, timeline.now());
    planSoon();
  }

  /** Notes that a fetch has failed. */
  public void noteFailed(NodeId node, BlockId block, ErrorCode code) {
    planner.noteFailed(node, block, code, timeline.now());
    planSoon();
  }

  /**
   * Lets time pass: a fetch that failed may be due again. Call it as often as the other loop's.
   *
   * @param held whether prefetching is held back now
   */
  public void tick(boolean held) {
    boolean holdIsOver = cover.setHeld(held, timeline.now());
    if (holdIsOver) {
      planner.applications().forEach(a -> planner.setTasksOfHold(a, cover.tasks(a)));
    }
    if (holdIsOver || planner.waitsForTime()) {
      planSoon();
    }
  }

  private void planSoon() {
    if (prefetches && !scheduled) {
      scheduled = true;
      timeline.after(moment, this::plan);
    }
  }

  private void plan() {
    scheduled = false;
    Duration pause = cost.of(this::order).multipliedBy(PAUSE);
    moment = pause.compareTo(MOMENT) > 0 ? pause : MOMENT;
  }

  private void order() {
    for (NodeOrders orders : planner.plan(timeline.now())) {
      BufferNode node = nodes.get(orders.node());
      if (node != null) {
        give(node, orders);
      }
    }
  }

  private static void give(BufferNode node, NodeOrders orders) {
    if (!orders.free().isEmpty()) {
      node.free(orders.free());
    }
    if (!orders.fetch().isEmpty()) {
      node.fetch(orders.fetch());
    }
  }

  /** All applications' plans in a few figures. */
  public PlanFigures figures() {
    long window = 0;
    long inRam = 0;
    long unfinished = 0;
    for (String application : planner.applications()) {
      Optional<ApplicationFigures> figures = planner.figures(application);
      window += figures.map(ApplicationFigures::windowBytes).orElse(0L);
      inRam += figures.map(ApplicationFigures::windowBytesInRam).orElse(0L);
      unfinished += figures.map(ApplicationFigures::unfinishedBytes).orElse(0L);
    }
    return new PlanFigures(window, inRam, unfinished, planner.abandonedBytes());
  }

  /** One application in figures, or empty when it is not known. */
  public Optional<ApplicationFigures> figures(String application) {
    return planner.figures(application);
  }

  /** What is known of the planned blocks of a file, in their order. */
  public List<BlockFacts> blocksOfFile(String path) {
    return planner.blocksOfFile(path);
  }

  /** What is known of the blocks that one task reads. */
  public List<BlockFacts> blocksOfTask(String application, int stage, int partition) {
    return planner.blocksOfTask(application, stage, partition);
  }
}
