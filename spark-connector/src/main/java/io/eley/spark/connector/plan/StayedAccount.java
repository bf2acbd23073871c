package io.eley.spark.connector.plan;

import io.eley.bb.api.wire.PlanMessage;
import io.eley.spark.connector.shuffle.StayedOutputs;
import io.eley.spark.connector.ui.ExecutorSums;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The outputs of map tasks that stayed with executors, as these tell, on their way to the
 * coordinator. Each executor tells after each task, and one change that waits to be reported has
 * the newest sums when its turn comes: so there is one at most. Safe for several threads; nobody
 * waits.
 */
final class StayedAccount {
  private final ExecutorSums sums = new ExecutorSums(StayedOutputs.FIGURES);
  private final AtomicBoolean waits = new AtomicBoolean();

  /**
   * Notes what an executor tells.
   *
   * @param sender gets a change of the model to be reported, unless one waits
   */
  void note(
      String executor, long[] figures, Consumer<Function<PlanModel, List<PlanMessage>>> sender) {
    sums.note(executor, figures);
    if (waits.compareAndSet(false, true)) {
      sender.accept(this::tell);
    }
  }

  private List<PlanMessage> tell(PlanModel model) {
    waits.set(false); // before it looks: what is noted from now on may not be in the sums
    return model.setStayed(StayedOutputs.of(sums.all()));
  }
}
