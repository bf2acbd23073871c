package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.wire.PlanMessage;
import io.eley.bb.api.wire.PlanMessage.StartApplication;
import io.eley.bb.api.wire.PlanMessage.WaveSize;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanAttemptsTest {
  private final PlanModel model = new PlanModel("app-1", "sort");
  private final PlanAttempts attempts = new PlanAttempts(model);

  @Test
  void whatCannotBePlannedIsSaidOnceBehindTheName() {
    model.setWaveSize(4);
    assertThat(attempts.apply(PlanAttemptsTest::unknown))
        .containsExactly(
            new StartApplication("app-1", "sort (not planned)"), new WaveSize("app-1", 4));
    assertThat(attempts.apply(PlanAttemptsTest::unknown)).isEmpty();
  }

  @Test
  void whatCanBePlannedStillIs() {
    attempts.apply(PlanAttemptsTest::unknown);
    assertThat(attempts.apply(m -> m.setWaveSize(2))).containsExactly(new WaveSize("app-1", 2));
    assertThat(model.everything()).contains(new StartApplication("app-1", "sort (not planned)"));
  }

  private static List<PlanMessage> unknown(PlanModel model) {
    throw new NoSuchMethodError("RDD.dependencies() of " + model.application());
  }
}
