package io.eley.prefetcher.plan;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.PageSet;
import io.eley.bb.api.StageId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The live stages of one application. Its window goes over its stages in the order in which they
 * came: that is the order in which Spark's default scheduler gives them the free cores. Not
 * thread-safe.
 */
final class ApplicationPlan {
  /**
   * Stages that are over and still known. A stage's end overtakes parts of its plan only while
   * these wait for the versions of their files; a driver that runs for weeks ends a million.
   */
  private static final int OVER = 1000;

  private final PlanOptions options;
  private final SplitBlocks cutter;
  private final Map<StageId, StagePlan> stages = new LinkedHashMap<>();
  private final Set<StageId> over = new LinkedHashSet<>();
  private int waveSize;
  private int tasksOfHold;
  private long unreadBytes;

  ApplicationPlan(PlanOptions options) {
    this.options = options;
    this.cutter = new SplitBlocks(options);
  }

  void setWaveSize(int tasks) {
    waveSize = tasks;
  }

  void setTasksOfHold(int tasks) {
    tasksOfHold = tasks;
  }

  int waveSize() {
    return waveSize;
  }

  /**
   * The stage's plan, which is added if it is new. For a stage that has just ended it is an empty
   * plan that belongs to nothing: late messages about the stage change nothing.
   */
  StagePlan stage(StageId id) {
    return over.contains(id)
        ? new StagePlan(cutter)
        : stages.computeIfAbsent(id, unused -> new StagePlan(cutter));
  }

  /** Ends a stage; returns what it leaves unfinished, as of a cancelled job, in bytes. */
  long endStage(StageId id) {
    StagePlan ended = stages.remove(id);
    over.add(id);
    if (over.size() > OVER) {
      over.remove(over.iterator().next());
    }
    return ended == null ? 0 : ended.unfinishedBytes();
  }

  /** Bytes of the splits that have not ended. */
  long unfinishedBytes() {
    return stages.values().stream().mapToLong(StagePlan::unfinishedBytes).sum();
  }

  /** A stage that runs and of which something is known. */
  Optional<StagePlan> live(StageId id) {
    return Optional.ofNullable(stages.get(id));
  }

  /** Adds to the bytes that were in RAM for tasks that did not read them. */
  void addUnread(long bytes) {
    unreadBytes += bytes;
  }

  long unreadBytes() {
    return unreadBytes;
  }

  /** What this plan takes of the heap, see {@link PlanSize}. */
  long bytes() {
    long bytes = PlanSize.APPLICATION + over.size() * PlanSize.STAGE_OVER;
    for (StagePlan stage : stages.values()) {
      bytes += stage.bytes();
    }
    return bytes;
  }

  /** Gives back what tasks that have ended take, see {@link StagePlan#forgetEnded}. */
  void forgetEnded() {
    stages.values().forEach(StagePlan::forgetEnded);
  }

  /** Whether something of a stage may be noted, which takes some bytes where nothing is known. */
  boolean hasRoomFor(StageId id, long room) {
    return stages.containsKey(id) || over.contains(id) || room > PlanSize.STAGE;
  }

  void forEachStage(BiConsumer<StageId, StagePlan> action) {
    stages.forEach(action);
  }

  Collection<StagePlan> stages() {
    return stages.values();
  }

  /**
   * The blocks of the window, the most urgent first, with all pages that any of its splits needs.
   *
   * @param room what it may grow into
   */
  Map<BlockId, PageSet> window(Window.Room room) {
    var window = new Window(options, waveSize, tasksOfHold, room);
    for (StagePlan stage : stages.values()) {
      stage.offerTo(window);
    }
    return window.parts();
  }
}
