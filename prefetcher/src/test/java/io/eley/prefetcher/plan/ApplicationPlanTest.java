package io.eley.prefetcher.plan;

import static io.eley.prefetcher.plan.Plans.stage;
import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.StageId;
import org.junit.jupiter.api.Test;

/** What an application's plan takes of the heap, to the byte. */
class ApplicationPlanTest {
  private static final StageId FIRST = stage("a", 0);
  private static final StageId SECOND = stage("a", 1);

  private final ApplicationPlan plan = new ApplicationPlan(Plans.options(1, 0));

  @Test
  void aStageThatIsOverTakesLittleAndOnlyOnce() {
    assertThat(plan.bytes()).isEqualTo(PlanSize.APPLICATION);
    plan.stage(FIRST);
    plan.stage(SECOND);
    assertThat(plan.bytes()).isEqualTo(PlanSize.APPLICATION + 2 * PlanSize.STAGE);
    plan.endStage(FIRST);
    plan.endStage(FIRST);
    assertThat(plan.bytes()).isEqualTo(PlanSize.APPLICATION + PlanSize.STAGE + PlanSize.STAGE_OVER);
    plan.endStage(SECOND);
    assertThat(plan.bytes()).isEqualTo(PlanSize.APPLICATION + 2 * PlanSize.STAGE_OVER);
  }

  @Test
  void onlyAStageOfWhichNothingIsKnownNeedsRoom() {
    assertThat(plan.hasRoomFor(FIRST, PlanSize.STAGE)).isFalse();
    assertThat(plan.hasRoomFor(FIRST, PlanSize.STAGE + 1)).isTrue();
    plan.stage(FIRST);
    assertThat(plan.hasRoomFor(FIRST, 0)).isTrue();
    plan.endStage(FIRST);
    assertThat(plan.hasRoomFor(FIRST, 0)).as("it is over").isTrue();
  }
}
