package io.eley.controller.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.prefetcher.control.Outlook.Work;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** For how long prefetching was held, and what the plans add up to. */
class HeldTimeTest {
  private final HeldTime time = new HeldTime(1000);

  @Test
  void timeBeforeAPhaseIsHeldWithoutNeedAndTimeInItIsNot() {
    time.advance(false, false, 1100);
    time.advance(true, false, 1200); // expected
    time.advance(true, true, 1250); // it has come
    time.advance(false, false, 1400);
    time.advance(false, false, 2000);
    assertThat(time.needless()).isEqualTo(Duration.ofNanos(50));
  }

  @Test
  void theCurrentHoldCountsFromItsBeginWithoutAGap() {
    assertThat(time.current(1500)).isZero();
    time.advance(true, true, 1500);
    time.advance(true, false, 1600);
    assertThat(time.current(1700)).isEqualTo(Duration.ofNanos(200));
    time.advance(false, false, 1700);
    assertThat(time.current(1800)).isZero();
    time.advance(true, true, 1900);
    assertThat(time.current(1950)).as("a new one").isEqualTo(Duration.ofNanos(50));
  }

  @Test
  void nothingIsNeedlessWhileAPhaseIsOpenAndNothingIsHeld() {
    time.advance(false, true, 1500);
    time.advance(false, false, 2000);
    assertThat(time.needless()).isZero();
  }

  @Test
  void theFillOfAllWindowsIsAPart() {
    assertThat(new PlanFigures(400, 100, 1000, 0).fill()).isEqualTo(0.25);
    assertThat(PlanFigures.NOTHING.fill()).as("nothing is missing").isEqualTo(1);
  }

  @Test
  void workIsNeverMoreInRamThanThereIs() {
    assertThat(new PlanFigures(400, 100, 1000, 0).work()).isEqualTo(new Work(1000, 100));
    assertThat(new PlanFigures(400, 300, 200, 0).work()).isEqualTo(new Work(200, 200));
    assertThat(PlanFigures.NOTHING.work()).isEqualTo(Work.NONE);
  }
}
