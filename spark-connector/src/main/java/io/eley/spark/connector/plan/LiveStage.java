package io.eley.spark.connector.plan;

import io.eley.bb.api.Split;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** What the {@link PlanModel} knows of a stage that runs. Not safe for several threads. */
final class LiveStage {
  /**
   * How long the end of a stage, and those of its last tasks, may be under way on Spark's bus. The
   * scheduler notes a stage's end where it tells of its last task's.
   */
  static final Duration UNDER_WAY = Duration.ofSeconds(1);

  /**
   * Refused splits are offered again when this part of those that were taken has ended: often
   * enough for the window, which is a few waves, and seldom enough for a coordinator that looks
   * through its plans for room.
   */
  private static final int PART_ENDED = 8;

  /** In partition order. */
  final List<Split> splits;

  final Set<Integer> ended = new TreeSet<>();
  final Consumer<PlanModel> seek;
  BooleanSupplier over = () -> false;
  boolean growing;
  boolean tentative;

  /** Whether more splits could have been looked for, and were not wanted. */
  boolean stood;

  private OptionalLong seenOver = OptionalLong.empty();

  /** How many of the first splits the coordinator has; the others it has refused, if any. */
  private int taken = Integer.MAX_VALUE;

  /** How many tasks must end before the others are offered again. */
  private int endsMissing;

  private boolean everRefused;

  /**
   * A stage with its first splits, or all.
   *
   * @param growing whether more are to come
   * @param seek looks for more
   */
  LiveStage(List<Split> splits, boolean growing, Consumer<PlanModel> seek) {
    this.splits = new ArrayList<>(splits);
    this.growing = growing;
    this.seek = seek;
  }

  /** Whether splits are here that the coordinator has no room for. */
  boolean refused() {
    return taken < splits.size();
  }

  /** The first splits, as far as they are not refused; a view. */
  List<Split> taken() {
    return splits.subList(0, Math.min(taken, splits.size()));
  }

  /**
   * Notes that the coordinator has no room for the split of this partition. What tasks that have
   * ended were to read is forgotten then: one that runs again reads without a plan.
   *
   * @param waveSize tasks that run at once
   * @return whether this is the first time
   */
  boolean refuse(int partition, int waveSize) {
    taken = 0;
    while (taken < splits.size() && splits.get(taken).partition() < partition) {
      taken++;
    }
    List<Split> planned = taken();
    planned.removeIf(split -> ended.contains(split.partition()));
    taken = planned.size();
    endsMissing = Math.max(1, Math.max(waveSize, taken / PART_ENDED));
    boolean first = !everRefused;
    everRefused = true;
    stood = true;
    return first;
  }

  /** Splits to be offered again, if any, now that so many more tasks have ended. */
  List<Split> offers(int moreEnded) {
    endsMissing -= moreEnded;
    if (!refused() || endsMissing > 0) {
      return List.of();
    }
    List<Split> offered = splits.subList(taken, splits.size());
    offered.removeIf(split -> ended.contains(split.partition()));
    taken = Integer.MAX_VALUE;
    return List.copyOf(offered);
  }

  /** The splits of all tasks that have not ended, which are offered with that. */
  List<Split> all() {
    taken = Integer.MAX_VALUE;
    return splits.stream().filter(split -> !ended.contains(split.partition())).toList();
  }

  /** Whether nothing is refused any more; true once after it was. */
  boolean seeksOn() {
    boolean on = stood && !refused();
    stood = stood && !on;
    return on;
  }

  /** Whether the stage was seen to be over {@link #UNDER_WAY} ago or more; true once. */
  boolean becameOverForLong(long nanos) {
    if (seenOver.isEmpty()) {
      seenOver = over.getAsBoolean() ? OptionalLong.of(nanos) : OptionalLong.empty();
      return false;
    }
    boolean forLong = nanos - seenOver.getAsLong() >= UNDER_WAY.toNanos();
    if (forLong) {
      over = () -> false;
      seenOver = OptionalLong.empty();
    }
    return forLong;
  }
}
