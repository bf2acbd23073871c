package io.eley.spark.connector.plan;

import io.eley.bb.api.wire.PlanMessage;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes of the model that may fail, because this is a Spark, or a source of data, that we do not
 * know. Its input is read without a plan; that is said once, in the driver's log and, behind the
 * application's name, in {@code eley status}. Not safe for several threads.
 */
final class PlanAttempts {
  private static final Logger LOG = LoggerFactory.getLogger(PlanAttempts.class);

  private final PlanModel model;
  private boolean failed;

  PlanAttempts(PlanModel model) {
    this.model = model;
  }

  /** What is to be reported after a change. */
  List<PlanMessage> apply(Function<PlanModel, List<PlanMessage>> change) {
    try {
      return change.apply(model);
    } catch (RuntimeException | LinkageError e) {
      if (failed) {
        LOG.debug("Eley cannot find out what this application reads", e);
        return List.of();
      }
      failed = true;
      LOG.warn("Eley cannot find out all that this application reads, and does not plan that", e);
      model.noteUnplanned();
      return model.everything();
    }
  }
}
