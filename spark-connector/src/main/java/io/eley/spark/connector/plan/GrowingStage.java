package io.eley.spark.connector.plan;

import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.wire.PlanMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A stage whose splits become known one after another, and are planned in the order of their
 * partitions, in which tasks start. So many are looked for at once that have {@link #AHEAD} files
 * together, or one that has more: a stage of any size takes its turn on the few threads that read
 * footers, and its first tasks wait for a few files only.
 *
 * <p>While no coordinator takes what is known, nothing more is looked for.
 *
 * <p>Footers arrive on any thread, which posts a change of the model; the model's thread takes what
 * has arrived. It ends when all splits are known, or with the stage.
 */
final class GrowingStage {
  private static final int AHEAD = 64;

  private final StageId stage;
  private final List<TaskInput> inputs;
  private final TaskRanges ranges;
  private final Consumer<Function<PlanModel, List<PlanMessage>>> sender;
  private final Queue<Sought> sought = new ArrayDeque<>();
  private List<Split> found = new ArrayList<>();

  /** Of the splits that are sought, or found and not yet in the model. */
  private int files;

  private int next;
  private boolean over;

  private record Sought(CompletableFuture<Split> split, int files) {}

  /**
   * A stage of which nothing is known yet.
   *
   * @param sender takes each change of the model; must not block
   */
  GrowingStage(
      StageId stage,
      List<TaskInput> inputs,
      TaskRanges ranges,
      Consumer<Function<PlanModel, List<PlanMessage>>> sender) {
    this.stage = stage;
    this.inputs = List.copyOf(inputs);
    this.ranges = ranges;
    this.sender = sender;
  }

  /**
   * Looks for the next splits as far as that is allowed, and the coordinator takes them. Does not
   * block; the model's thread.
   */
  void seek(PlanModel model) {
    for (var split = begin(model); split != null; split = begin(model)) {
      var unused = split.whenComplete((known, failure) -> arrived());
    }
  }

  private synchronized @Nullable CompletableFuture<Split> begin(PlanModel model) {
    skipEnded(model);
    if (over || !model.seeks(stage) || next == inputs.size() || files >= AHEAD) {
      return null;
    }
    TaskInput input = inputs.get(next++);
    int more = Math.max(1, input.parts().size());
    files += more;
    var split = ranges.split(input);
    sought.add(new Sought(split, more));
    return split;
  }

  /** A plan that has fallen behind its tasks reads nothing for those that have ended. */
  private void skipEnded(PlanModel model) {
    while (next < inputs.size() && model.hasEnded(stage, inputs.get(next).partition())) {
      next++;
    }
  }

  private void arrived() {
    if (collect()) {
      sender.accept(this::grow);
    }
  }

  /** Whether there is a split that the model does not know. */
  private synchronized boolean collect() {
    for (var head = sought.peek(); head != null && head.split.isDone(); head = sought.peek()) {
      found.add(head.split.join());
      sought.remove();
    }
    return !found.isEmpty();
  }

  private List<PlanMessage> grow(PlanModel model) {
    List<Split> more;
    boolean last;
    synchronized (this) {
      more = found;
      found = new ArrayList<>();
      skipEnded(model);
      files = sought.stream().mapToInt(Sought::files).sum();
      last = next == inputs.size() && sought.isEmpty();
      over = last || !model.grows(stage);
    }
    var messages = model.growStage(stage, more, last);
    seek(model);
    return messages;
  }
}
