package io.eley.prefetcher.plan;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.PageSet;
import io.eley.bb.api.Placement;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.error.ErrorCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides which blocks, or which pages of them, belong into the nodes' RAM now. Its owner reports
 * what has become known, and {@link #plan} returns the orders that the nodes need so that the
 * blocks get there.
 *
 * <p><b>Window.</b> The tasks that run are the oldest unfinished splits, as many as run at once
 * (the wave); the window is these and some waves more, see {@link WindowReach}. Finished splits
 * within it do not count, so one slow task does not stop the window. With waves of 4 and one wave
 * ahead, after the tasks 0 to 2 and 4 have ended the window is the splits 3, 5, 6, 7 (running) and
 * 8 to 11.
 *
 * <p><b>RAM.</b> On each node the blocks of all windows are given room in turns, see {@link
 * WaterFilling}; what gets none waits until a task ends. So an input of any size slides through.
 * Counted is what the node will reserve, so that nothing which is wanted leaves for the rest.
 * Another engine loads whole blocks, whatever pages are wanted, so a block takes its whole room
 * where one of its nodes has it.
 *
 * <p><b>Orders</b> are differences: a block is ordered once, and again only after the node has
 * reported it failed or dropped, or when more of its pages are wanted; it is freed when it is in no
 * window any more.
 *
 * <p>Not thread-safe: one thread owns it. Times are nanoseconds of any monotonic clock.
 */
public final class WavePlanner {
  private static final NodeId NOWHERE = new NodeId("nowhere");

  /** How many files' rankings are cached; the cache is cleared when it is full. */
  private static final int CACHED_FILES = 4096;

  /** Of parts of blocks so many are fetched side by side on a full node, */
  private static final int FETCHES = 4;

  /** in this part of its room at most, but for the first. */
  private static final int PART_TO_FETCH = 8;

  private final PlanOptions options;
  private final Map<String, ApplicationPlan> applications = new LinkedHashMap<>();
  private final Map<NodeId, NodeBlocks> nodes = new TreeMap<>();
  private final Map<String, List<NodeAddress>> rankings = new HashMap<>();
  private ClusterView view;
  private long abandonedBytes;

  /** A planner that knows no node and no application. */
  public WavePlanner(PlanOptions options, ClusterView view) {
    this.options = options;
    this.view = view;
  }

  /** Sets the nodes that blocks are placed on; a block whose node has changed is ordered there. */
  public void setView(ClusterView newer) {
    view = newer;
    rankings.clear();
  }

  /**
   * Sets what a node has room for now, for example when intermediate data takes more of its RAM;
   * returns whether that is news.
   */
  public boolean setCapacity(NodeId node, long capacityBytes) {
    NodeBlocks known = nodes.get(node);
    return known != null && known.setCapacityBytes(capacityBytes);
  }

  /** Adds a node, or begins anew with one that is known: nothing is known of what it has. */
  public void addNode(NodeId node, long capacityBytes) {
    nodes.put(node, new NodeBlocks(node, capacityBytes, options.retries(), this::footprint));
  }

  public void removeNode(NodeId node) {
    nodes.remove(node);
  }

  /**
   * Adds an application; what was planned for one of the same name is forgotten, and what its tasks
   * left unread is not: its driver reports everything again after a broken connection.
   *
   * @return whether there is room for another one; if not, nothing is planned for it
   */
  public boolean startApplication(String application) {
    ApplicationPlan before = remove(application);
    if (roomOfAll() < PlanSize.APPLICATION) {
      forgetEnded();
    }
    if (roomOfAll() < PlanSize.APPLICATION) {
      return false;
    }
    var plan = new ApplicationPlan(options);
    plan.addUnread(before == null ? 0 : before.unreadBytes());
    applications.put(application, plan);
    return true;
  }

  /** How many bytes of the heap this application's plan may still take. */
  private long room(ApplicationPlan application) {
    return Math.min(options.limits().application() - application.bytes(), roomOfAll());
  }

  private long roomOfAll() {
    long taken = 0;
    for (ApplicationPlan application : applications.values()) {
      taken += application.bytes();
    }
    return options.limits().all() - taken;
  }

  public void endApplication(String application) {
    remove(application);
  }

  private @Nullable ApplicationPlan remove(String application) {
    ApplicationPlan removed = applications.remove(application);
    abandonedBytes += removed == null ? 0 : removed.unfinishedBytes();
    return removed;
  }

  /** Sets how many tasks of the application can run at once; zero is "not known yet". */
  public void setWaveSize(String application, int tasks) {
    known(application).ifPresent(a -> a.setWaveSize(tasks));
  }

  /** Sets how many tasks of the application end while prefetching is held back; zero at first. */
  public void setTasksOfHold(String application, int tasks) {
    known(application).ifPresent(a -> a.setTasksOfHold(tasks));
  }

  /**
   * Adds splits to a stage, as many of the first as {@link PlanLimits} allow. Where these are not
   * enough, what tasks have read that have ended is forgotten, of all stages. Splits that are known
   * change nothing, so that the same may be asked again when tasks have ended.
   *
   * @param versions of the files; splits of files without a version are counted, but nothing is
   *     fetched for them
   * @return whether all were added; those of an unknown application need no room
   */
  public boolean addSplits(StageId stage, List<Split> splits, Map<String, FileVersion> versions) {
    ApplicationPlan application = applications.get(stage.application());
    if (application == null) {
      return true;
    }
    int added = add(application, stage, splits, versions);
    if (added < splits.size()) {
      forgetEnded();
      added += add(application, stage, splits.subList(added, splits.size()), versions);
    }
    return added == splits.size();
  }

  private int add(
      ApplicationPlan application,
      StageId stage,
      List<Split> splits,
      Map<String, FileVersion> versions) {
    long room = room(application) - PlanSize.STAGE;
    return application.hasRoomFor(stage, room + PlanSize.STAGE)
        ? application.stage(stage).add(splits, versions, room)
        : 0;
  }

  private void forgetEnded() {
    applications.values().forEach(ApplicationPlan::forgetEnded);
  }

  /** Replaces the version of a planned file; returns whether any plan had another one. */
  public boolean replace(FileVersion file) {
    boolean any = false;
    for (var application : applications.values()) {
      for (var stage : application.stages()) {
        any |= stage.replace(file);
      }
    }
    return any;
  }

  /** Notes that tasks have succeeded; their splits may become known later than that. */
  public void endTasks(StageId stage, Collection<Integer> partitions) {
    known(stage.application()).ifPresent(a -> endTasks(a, stage, partitions));
  }

  private void endTasks(ApplicationPlan application, StageId stage, Collection<Integer> ended) {
    long room = room(application);
    if (!application.hasRoomFor(stage, room)) {
      return;
    }
    StagePlan plan = application.stage(stage);
    long before = plan.bytes();
    ended.forEach(partition -> plan.endTask(partition, room - (plan.bytes() - before)));
  }

  /**
   * Notes that a stage's tasks may stop early: nothing is prefetched for them before one of them
   * has read what was planned for it.
   */
  public void makeTentative(StageId stage) {
    known(stage.application())
        .filter(a -> a.hasRoomFor(stage, room(a)))
        .ifPresent(a -> a.stage(stage).makeTentative());
  }

  /**
   * Notes what a task has read. When tasks do not read what is planned for them, it is not
   * prefetched for the other tasks of their stage.
   *
   * @param read ranges of files, in any order; what nobody has planned is not looked at
   */
  public void noteRead(StageId stage, int partition, List<FileSlice> read) {
    known(stage.application())
        .ifPresent(
            a ->
                a.live(stage)
                    .ifPresent(plan -> a.addUnread(plan.noteRead(partition, read, this::present))));
  }

  private Optional<PageSet> present(BlockId block) {
    return Optional.ofNullable(nodes.get(ownerOf(block))).map(node -> node.present().get(block));
  }

  public void endStage(StageId stage) {
    known(stage.application())
        .filter(a -> a.hasRoomFor(stage, room(a)))
        .ifPresent(a -> abandonedBytes += a.endStage(stage));
  }

  /** Notes that blocks are complete in a node's RAM. */
  public void noteArrived(NodeId node, Collection<BlockId> blocks) {
    Optional.ofNullable(nodes.get(node)).ifPresent(n -> blocks.forEach(n::noteArrived));
  }

  /** Notes that of blocks those pages are in a node's RAM that were ordered. */
  public void notePartsArrived(NodeId node, Collection<BlockId> blocks) {
    Optional.ofNullable(nodes.get(node)).ifPresent(n -> blocks.forEach(n::notePartArrived));
  }

  /** Notes that blocks are not in a node's RAM any more. */
  public void noteDropped(NodeId node, Collection<BlockId> blocks, long now) {
    Optional.ofNullable(nodes.get(node)).ifPresent(n -> blocks.forEach(b -> n.noteDropped(b, now)));
  }

  /** Notes that a node could not fetch a block; the code decides whether it is tried again. */
  public void noteFailed(NodeId node, BlockId block, ErrorCode code, long now) {
    Optional.ofNullable(nodes.get(node)).ifPresent(n -> n.noteFailed(block, code, now));
  }

  /**
   * Makes the orders that the nodes need now, and assumes that they are sent. The time this takes
   * is in proportion to the blocks of all windows.
   */
  public List<NodeOrders> plan(long now) {
    var wishes = new HashMap<NodeId, List<List<BlockPart>>>();
    Window.Room room = windowRoom();
    var windows = applications.values().stream().map(a -> a.window(room)).toList();
    for (NodeId node : nodes.keySet()) {
      wishes.put(
          node, windows.stream().map(w -> (List<BlockPart>) new ArrayList<BlockPart>()).toList());
    }
    for (int i = 0; i < windows.size(); i++) {
      for (var part : windows.get(i).entrySet()) {
        var owner = addressOf(part.getKey());
        var there = owner.map(NodeAddress::id).map(wishes::get);
        if (there.isPresent()) {
          PageSet pages = owner.get().ofEngine() ? PageSet.ALL : part.getValue();
          there.get().get(i).add(new BlockPart(part.getKey(), pages));
        }
      }
    }
    var orders = new ArrayList<NodeOrders>();
    nodes.forEach((id, node) -> orders.add(orders(node, wishes.getOrDefault(id, List.of()), now)));
    orders.removeIf(NodeOrders::isEmpty);
    return orders;
  }

  /** What windows may grow into. */
  private Window.Room windowRoom() {
    long bytes = 0;
    for (NodeBlocks node : nodes.values()) {
      bytes += node.capacityBytes();
    }
    return new Window.Room(nodes.size(), bytes);
  }

  private NodeOrders orders(NodeBlocks node, List<List<BlockPart>> wishes, long now) {
    var needed = new HashSet<BlockId>();
    for (List<BlockPart> wish : wishes) {
      // Without failures there are none to forget.
      if (node.hasTroubles()) {
        wish.forEach(part -> needed.add(part.block()));
        wish.removeIf(part -> node.givenUp(part.block()));
      }
      wish.replaceAll(node::withHeld);
    }
    long room = node.capacityBytes() - roomToFetch(node.capacityBytes(), wishes);
    Map<BlockId, PageSet> should = WaterFilling.fill(room, wishes, node.present(), this::footprint);
    return node.orders(should, needed, now);
  }

  /** What a part of a block takes of a node's RAM, or of an engine's, which has no footers. */
  private int footprint(BlockPart part) {
    var geometry = options.geometry();
    return addressOf(part.block()).filter(NodeAddress::ofEngine).isPresent()
        ? geometry.length(part)
        : geometry.footprint(part);
  }

  /**
   * What parts of blocks are not given: a node reserves the whole block while it fetches a part, so
   * one that is urgent would never find that much room among those that are there.
   */
  private long roomToFetch(long capacityBytes, List<List<BlockPart>> wishes) {
    long largest = 0;
    for (List<BlockPart> wish : wishes) {
      for (BlockPart part : wish) {
        if (!part.pages().isAll()) {
          largest = Math.max(largest, footprint(BlockPart.whole(part.block())));
        }
      }
    }
    return largest * Math.max(1, Math.min(FETCHES, capacityBytes / PART_TO_FETCH / (1 + largest)));
  }

  /** Whether new orders may become due by time alone: a failed fetch waits for its retry. */
  public boolean waitsForTime() {
    return nodes.values().stream().anyMatch(NodeBlocks::waits);
  }

  /**
   * Bytes of splits whose stage or application has ended before them, since the start: they are
   * unfinished no more, and no task has read them.
   */
  public long abandonedBytes() {
    return abandonedBytes;
  }

  /** The applications that are known, in the order in which they started. */
  public List<String> applications() {
    return List.copyOf(applications.keySet());
  }

  /** One application in figures, or empty when it is not known. */
  public Optional<ApplicationFigures> figures(String application) {
    return known(application).map(this::figures);
  }

  private ApplicationFigures figures(ApplicationPlan application) {
    long bytes = 0;
    long inRam = 0;
    for (var window : application.window(windowRoom()).entrySet()) {
      var part = new BlockPart(window.getKey(), window.getValue());
      bytes += options.geometry().length(part);
      NodeBlocks node = nodes.get(ownerOf(part.block()));
      inRam += node == null ? 0 : bytesInRam(part, node.present().get(part.block()));
    }
    var stages = application.stages();
    return new ApplicationFigures(
        application.waveSize(),
        bytes,
        inRam,
        application.unfinishedBytes(),
        stages.stream().mapToInt(StagePlan::plannedSplits).sum(),
        stages.stream().mapToInt(StagePlan::endedSplits).sum(),
        application.unreadBytes());
  }

  private int bytesInRam(BlockPart part, @Nullable PageSet there) {
    if (there == null) {
      return 0;
    }
    var geometry = options.geometry();
    // What two sets share is what both count together more than their union.
    return geometry.length(part)
        + geometry.length(new BlockPart(part.block(), there))
        - geometry.length(part.with(there));
  }

  /** What is known of the planned blocks of a file, in their order. */
  public List<BlockFacts> blocksOfFile(String path) {
    return facts((task, block) -> block.file().path().equals(path));
  }

  /** What is known of the blocks that one task reads. */
  public List<BlockFacts> blocksOfTask(String application, int stage, int partition) {
    return facts(
        (task, block) ->
            task.application().equals(application)
                && task.stage().startsWith(stage + ".")
                && task.partition() == partition);
  }

  private List<BlockFacts> facts(BiPredicate<BlockFacts.Task, BlockId> asked) {
    var tasks = new HashMap<BlockId, List<BlockFacts.Task>>();
    var read = new LinkedHashMap<BlockId, PageSet>();
    forEachTask(
        (task, planned) ->
            planned.forEach(
                (block, pages) -> {
                  if (asked.test(task, block)) {
                    tasks.computeIfAbsent(block, b -> new ArrayList<>()).add(task);
                    read.merge(block, pages, PageSet::union);
                  }
                }));
    var windows = new HashSet<BlockId>();
    Window.Room room = windowRoom();
    applications.values().forEach(a -> windows.addAll(a.window(room).keySet()));
    var facts = new ArrayList<BlockFacts>();
    read.forEach(
        (block, pages) -> {
          var part = new BlockPart(block, pages);
          var readers = tasks.getOrDefault(block, List.of());
          facts.add(facts(part, readers, windows.contains(block)));
        });
    facts.sort(Comparator.comparingInt(f -> f.block().index()));
    return List.copyOf(facts);
  }

  private void forEachTask(BiConsumer<BlockFacts.Task, PlannedSplit> visitor) {
    applications.forEach(
        (name, application) ->
            application.forEachStage(
                (stage, plan) ->
                    plan.forEach(
                        (planned, ended, ahead) -> {
                          var id = stage.stage() + "." + stage.attempt();
                          int partition = planned.split().partition();
                          visitor.accept(
                              new BlockFacts.Task(name, id, partition, ended, ahead, plan.unread()),
                              planned);
                        })));
  }

  private BlockFacts facts(BlockPart part, List<BlockFacts.Task> tasks, boolean inWindow) {
    BlockId block = part.block();
    NodeId owner = ownerOf(block);
    NodeBlocks node = nodes.get(owner);
    return new BlockFacts(
        block,
        node == null ? Optional.empty() : Optional.of(owner.value()),
        node == null ? BlockFacts.State.ABSENT : node.state(block),
        options.geometry().length(part),
        inWindow,
        node == null ? 0 : node.failures(block),
        tasks);
  }

  private Optional<ApplicationPlan> known(String application) {
    return Optional.ofNullable(applications.get(application));
  }

  /** The node that the block belongs to; {@link #NOWHERE} when the view has no nodes. */
  private NodeId ownerOf(BlockId block) {
    return addressOf(block).map(NodeAddress::id).orElse(NOWHERE);
  }

  private Optional<NodeAddress> addressOf(BlockId block) {
    if (rankings.size() >= CACHED_FILES) {
      rankings.clear();
    }
    var ranking = rankings.computeIfAbsent(block.file().path(), p -> Placement.rank(view, p));
    return Placement.nodeOf(ranking, block.index());
  }
}
