package io.eley.spark.connector.plan;

import io.eley.bb.api.FileSlice;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.wire.PlanMessage;
import io.eley.bb.api.wire.Stayed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * All that the coordinator should know of this application, so that it can be reported again to a
 * coordinator that was restarted. Pure; not safe for several threads.
 */
final class PlanModel {
  /** What a split may take of a frame of a mebibyte. */
  private static final int SPLIT_BYTES = 512 << 10;

  /** With the last split still below what a frame may carry. */
  private static final int BATCH_BYTES = 256 << 10;

  /** Tasks of four bytes each, in a frame of a mebibyte. */
  private static final int ENDED_BATCH = 100_000;

  private final String application;
  private String name;
  private final Map<StageId, LiveStage> stages = new LinkedHashMap<>();
  private int waveSize;
  private List<Stayed> stayed = List.of();
  private boolean taken = true;

  PlanModel(String application, String name) {
    this.application = application;
    this.name = name;
  }

  String application() {
    return application;
  }

  /** The message that begins the application. */
  PlanMessage.StartApplication start() {
    return new PlanMessage.StartApplication(application, name);
  }

  /** Says behind the application's name that a part of its input cannot be planned. */
  void noteUnplanned() {
    name += " (not planned)";
  }

  List<PlanMessage> setWaveSize(int tasks) {
    if (tasks == waveSize) {
      return List.of();
    }
    waveSize = tasks;
    return List.of(new PlanMessage.WaveSize(application, tasks));
  }

  /** Sets what has stayed with executors so far. */
  List<PlanMessage> setStayed(List<Stayed> now) {
    if (now.equals(stayed)) {
      return List.of();
    }
    stayed = List.copyOf(now);
    return List.of(new PlanMessage.OutputsStayed(application, stayed));
  }

  List<PlanMessage> addStage(StageId stage, List<Split> splits) {
    if (splits.stream().allMatch(s -> s.slices().isEmpty())) {
      return List.of();
    }
    List<Split> fitting = splits.stream().map(PlanModel::fitting).toList();
    stages.put(stage, new LiveStage(fitting, false, model -> {}));
    return batches(stage, fitting, true);
  }

  /**
   * Begins a stage whose splits become known one after another.
   *
   * @param seek looks for more of them; run when the coordinator has taken what it had no room for
   */
  void openStage(StageId stage, Consumer<PlanModel> seek) {
    stages.put(stage, new LiveStage(List.of(), true, seek));
  }

  /** Notes how to see that a stage that was added is over, since its end may never be told. */
  void endWhen(StageId stage, BooleanSupplier over) {
    LiveStage live = stages.get(stage);
    if (live != null) {
      live.over = over;
    }
  }

  /**
   * Stages that an earlier look saw to be over, {@link LiveStage#UNDER_WAY} ago or more: nothing of
   * them is going to be told any more. Each is returned once.
   *
   * @param nanos of now, as {@link System#nanoTime}
   */
  List<StageId> overForLong(long nanos) {
    var found = new ArrayList<StageId>();
    stages.forEach(
        (stage, live) -> {
          if (live.becameOverForLong(nanos)) {
            found.add(stage);
          }
        });
    return found;
  }

  /** Notes that the tasks of a stage that was added may stop early; send it before the stage. */
  List<PlanMessage> makeTentative(StageId stage) {
    LiveStage live = stages.get(stage);
    if (live == null) {
      return List.of();
    }
    live.tentative = true;
    return List.of(new PlanMessage.TentativeStage(stage));
  }

  /**
   * What a task has read; it is not reported again, since a coordinator that was restarted learns
   * from the tasks that end then. Of a stage that is over, or was not planned, it is for the
   * totals.
   */
  List<PlanMessage> noteRead(PlanMessage.TaskRead read) {
    return stages.containsKey(read.stage()) || !read.slices().isEmpty() ? List.of(read) : List.of();
  }

  /** Whether more splits of the stage are to come. */
  boolean grows(StageId stage) {
    LiveStage live = stages.get(stage);
    return live != null && live.growing;
  }

  /**
   * Says whether a coordinator takes splits and uses them: while none does, as in {@code NaiveBB},
   * nothing is read of the file system for a plan. At first one does. Stages that stood still are
   * looked on for where one does, and has taken what they have.
   */
  void setTaken(boolean now) {
    taken = now;
    seekOn();
  }

  /**
   * Whether more splits of the stage are wanted now; else its {@code seek} is run when they are,
   * see {@link #setTaken}.
   */
  boolean seeks(StageId stage) {
    LiveStage live = stages.get(stage);
    if (live == null || !live.growing) {
      return false;
    }
    boolean seeks = taken && !live.refused();
    live.stood |= !seeks;
    return seeks;
  }

  /** Whether the task of this partition has ended in the stage, which runs. */
  boolean hasEnded(StageId stage, int partition) {
    LiveStage live = stages.get(stage);
    return live != null && live.ended.contains(partition);
  }

  /**
   * Adds splits to a stage that was opened, in partition order. One whose task has ended meanwhile
   * is left out.
   *
   * @param last whether these are all that were missing
   */
  List<PlanMessage> growStage(StageId stage, List<Split> more, boolean last) {
    LiveStage live = stages.get(stage);
    if (live == null || !live.growing) {
      return List.of();
    }
    List<Split> wanted =
        more.stream()
            .filter(s -> !live.ended.contains(s.partition()))
            .map(PlanModel::fitting)
            .toList();
    live.splits.addAll(wanted);
    live.growing = !last;
    return live.refused() ? List.of() : batches(stage, wanted, last);
  }

  /**
   * Keeps a part of a stage for which the coordinator has no room, and all behind it, until tasks
   * have ended.
   *
   * @return whether it is the stage's first one
   */
  boolean refuse(PlanMessage.PlanStage refused) {
    LiveStage live = stages.get(refused.stage());
    return live != null && live.refuse(refused.splits().get(0).partition(), waveSize);
  }

  private void seekOn() {
    for (LiveStage live : List.copyOf(stages.values())) {
      if (taken && live.growing && live.seeksOn()) {
        live.seek.accept(this);
      }
    }
  }

  List<PlanMessage> endTask(StageId stage, int partition) {
    LiveStage live = stages.get(stage);
    if (live == null || !live.ended.add(partition)) {
      return List.of();
    }
    return noteEnded(stage, List.of(partition));
  }

  /** The same of several tasks. */
  List<PlanMessage> endTasks(StageId stage, BitSet partitions) {
    LiveStage live = stages.get(stage);
    if (live == null) {
      return List.of();
    }
    List<Integer> news = partitions.stream().filter(live.ended::add).boxed().toList();
    return noteEnded(stage, news);
  }

  private List<PlanMessage> noteEnded(StageId stage, List<Integer> partitions) {
    stages.values().forEach(live -> live.noteEnded(partitions.size()));
    return endings(stage, partitions);
  }

  /**
   * The next part of what was refused, of the first stage for which enough tasks have ended; empty
   * when there is none. It is taken with that unless {@link #refuse} says otherwise: who has
   * reported it asks for the next one, so that what finds no room costs one message.
   */
  Optional<PlanMessage.PlanStage> offer() {
    for (var stage : stages.entrySet()) {
      LiveStage live = stage.getValue();
      List<Split> offers = live.offers(splits -> batchEnd(splits, 0));
      if (!offers.isEmpty()) {
        boolean last = !live.refused() && !live.growing;
        return Optional.of(new PlanMessage.PlanStage(stage.getKey(), offers, last));
      }
    }
    return Optional.empty();
  }

  /**
   * Plans a task again whose end was noted, because its result is lost; with what was refused where
   * it is of that.
   */
  List<PlanMessage> resubmitTask(StageId stage, int partition) {
    LiveStage live = stages.get(stage);
    if (live == null || !live.ended.remove(partition)) {
      return List.of();
    }
    List<Split> again = live.taken().stream().filter(s -> s.partition() == partition).toList();
    return batches(stage, again, !live.growing);
  }

  private static List<PlanMessage> endings(StageId stage, List<Integer> ended) {
    var messages = new ArrayList<PlanMessage>();
    for (int i = 0; i < ended.size(); i += ENDED_BATCH) {
      int end = Math.min(ended.size(), i + ENDED_BATCH);
      messages.add(new PlanMessage.TasksEnded(stage, ended.subList(i, end)));
    }
    return messages;
  }

  /** Notes that a stage is over; its room is for what was refused of others. */
  List<PlanMessage> endStage(StageId stage) {
    if (stages.remove(stage) == null) {
      return List.of();
    }
    stages.values().forEach(LiveStage::offerNow);
    return List.of(new PlanMessage.StageEnded(stage));
  }

  /**
   * The messages that report everything that is still to come, in the order in which it became
   * known. Of tasks that have ended there is nothing: their splits would take room and be fetched
   * again, and without these nobody needs to know of their ends.
   */
  List<PlanMessage> everything() {
    var all = new ArrayList<PlanMessage>();
    all.add(start());
    all.add(new PlanMessage.WaveSize(application, waveSize));
    if (!stayed.isEmpty()) {
      all.add(new PlanMessage.OutputsStayed(application, stayed));
    }
    stages.forEach(
        (stage, live) -> {
          if (live.tentative) {
            all.add(new PlanMessage.TentativeStage(stage));
          }
          all.addAll(batches(stage, live.all(), !live.growing));
        });
    return all;
  }

  private static List<PlanMessage> batches(StageId stage, List<Split> splits, boolean complete) {
    var messages = new ArrayList<PlanMessage>();
    int end;
    for (int begin = 0; begin < splits.size(); begin = end) {
      end = batchEnd(splits, begin);
      boolean last = complete && end == splits.size();
      messages.add(new PlanMessage.PlanStage(stage, splits.subList(begin, end), last));
    }
    return messages;
  }

  /** Behind the last split that is in one message with that at {@code begin}. */
  private static int batchEnd(List<Split> splits, int begin) {
    int end = begin;
    for (int bytes = 0; end < splits.size() && bytes < BATCH_BYTES; end++) {
      bytes += encodedBytes(splits.get(end));
    }
    return end;
  }

  /** A split as far as a message can carry it; its task reads the rest without a plan. */
  private static Split fitting(Split split) {
    int bytes = 0;
    for (int i = 0; i < split.slices().size(); i++) {
      bytes += encodedBytes(split.slices().get(i));
      if (bytes > SPLIT_BYTES) {
        return new Split(split.partition(), split.slices().subList(0, i), split.exact());
      }
    }
    return split;
  }

  private static int encodedBytes(Split split) {
    int bytes = 9;
    for (FileSlice slice : split.slices()) {
      bytes += encodedBytes(slice);
    }
    return bytes;
  }

  /** The bytes that a slice takes of a message. */
  static int encodedBytes(FileSlice slice) {
    return 20 + slice.path().getBytes(StandardCharsets.UTF_8).length;
  }
}
