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
import java.util.function.ToIntFunction;

/** What the {@link PlanModel} knows of a stage that runs. Not safe for several threads. */
final class LiveStage {
  /**
   * How long the end of a stage, and those of its last tasks, may be under way on Spark's bus. The
   * scheduler notes a stage's end where it tells of its last task's.
   */
  static final Duration UNDER_WAY = Duration.ofSeconds(1);

  /**
   * Refused splits are offered again when as many tasks have ended as this part of those that were
   * taken, of whatever stage: often enough for the window, which is a few waves, and seldom enough
   * for a coordinator that looks up their files.
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

  /** Notes that so many more tasks have ended, of whatever stage: each may have made room. */
  void noteEnded(int tasks) {
    endsMissing = Math.max(0, endsMissing - tasks);
  }

  /** What was refused may be offered again whatever has ended. */
  void offerNow() {
    endsMissing = 0;
  }

  /**
   * The next splits to be offered again, which are taken with that unless they are refused; empty
   * when there are none, or too few tasks have ended.
   *
   * @param most how many of the first ones are offered at once, one or more
   */
  List<Split> offers(ToIntFunction<List<Split>> most) {
    var offers = List.<Split>of();
    while (offers.isEmpty() && refused() && endsMissing == 0) {
      List<Split> rest = splits.subList(taken, splits.size());
      List<Split> next = rest.subList(0, most.applyAsInt(rest));
      next.removeIf(split -> ended.contains(split.partition()));
      offers = List.copyOf(next);
      taken += offers.size();
      taken = taken == splits.size() ? Integer.MAX_VALUE : taken;
    }
    return offers;
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
