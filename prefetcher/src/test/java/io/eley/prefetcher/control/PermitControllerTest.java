package io.eley.prefetcher.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.Permit.Lane;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PermitControllerTest {
  private static final Duration TTL = Duration.ofSeconds(2);
  private static final Duration RENEWAL = Duration.ofMillis(500);
  private static final List<String> IOR = List.of("ior");

  private static PermitController controller(BufferMode mode) {
    var hold = new FullDelay(DemandPolicy.WAIT, Duration.ofSeconds(60), 16 << 20);
    var operator = OperatorChoice.CHOOSER.of(mode, hold, 0, 8);
    return new PermitController(operator, Duration.ofSeconds(60), TTL, RENEWAL, 0);
  }

  private static long millis(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }

  @Test
  void fullDelayClosesBothLanesWhileAPhaseIsOpen() {
    var controller = controller(BufferMode.FULL_DELAY);
    assertThat(controller.decision().held()).isFalse();

    assertThat(controller.update(Conditions.inPhase(IOR), millis(1))).isTrue();
    var permit = controller.nextPermit();
    assertThat(permit.prefetch()).isEqualTo(Lane.CLOSED);
    assertThat(permit.demand()).isEqualTo(Lane.CLOSED);
    assertThat(permit.timeToLive()).isEqualTo(TTL);
    assertThat(permit.reason()).contains("ior");

    assertThat(controller.update(Conditions.quiet(), millis(2))).isTrue();
    assertThat(controller.nextPermit().prefetch()).isEqualTo(Lane.OPEN);
  }

  @Test
  void waitingTasksGoOnAtACappedRateOnceAHoldHasLastedTooLong() {
    var controller = controller(BufferMode.FULL_DELAY);
    controller.update(Conditions.inPhase(IOR), millis(1000));
    controller.update(Conditions.inPhase(IOR), millis(60_999));
    assertThat(controller.decision().demand()).isEqualTo(Lane.CLOSED);

    assertThat(controller.update(Conditions.inPhase(IOR), millis(61_000))).isTrue();

    assertThat(controller.decision().demand()).isEqualTo(new Lane(16 << 20, Integer.MAX_VALUE));
    assertThat(controller.decision().prefetch()).isEqualTo(Lane.CLOSED);
  }

  @ParameterizedTest
  @EnumSource
  void tasksDoAsThePolicySaysAndPrefetchingNever(DemandPolicy policy) {
    var operator = new FullDelay(policy, Duration.ofSeconds(60), 16 << 20);
    var controller = new PermitController(operator, Duration.ofSeconds(60), TTL, RENEWAL, 0);
    var capped = new Lane(16 << 20, Integer.MAX_VALUE);
    for (long second : new long[] {0, 59, 60, 3600}) {
      controller.update(Conditions.inPhase(IOR), millis(1000 * second));
      boolean soon = second < 60;
      assertThat(controller.decision().prefetch()).isEqualTo(Lane.CLOSED);
      assertThat(controller.decision().demand())
          .isEqualTo(
              switch (policy) {
                case WAIT -> soon ? Lane.CLOSED : capped;
                case CAPPED -> capped;
                case PASS -> Lane.OPEN;
              });
    }
    assertThat(DemandPolicy.of(policy.label().toUpperCase(java.util.Locale.ROOT)))
        .isEqualTo(policy);
    assertThatThrownBy(() -> DemandPolicy.of("hope")).hasMessageContaining("wait, capped, pass");
  }

  @Test
  void phasesThatOverlapAreOneHold() {
    var controller = controller(BufferMode.FULL_DELAY);
    controller.update(Conditions.inPhase(IOR), millis(0));
    controller.update(Conditions.inPhase(List.of("ior", "lammps")), millis(30_000));
    controller.update(Conditions.inPhase(List.of("lammps")), millis(60_000));

    assertThat(controller.decision().demand().closed()).isFalse();
  }

  @Test
  void aGapOfAQuarterOfTheDelayBeginsTheHoldAnew() {
    var controller = controller(BufferMode.FULL_DELAY);
    controller.update(Conditions.inPhase(IOR), millis(0));
    controller.update(Conditions.quiet(), millis(3_600_000));
    controller.update(Conditions.inPhase(IOR), millis(3_615_000));
    controller.update(Conditions.inPhase(IOR), millis(3_674_999));
    assertThat(controller.decision().demand()).isEqualTo(Lane.CLOSED);

    controller.update(Conditions.inPhase(IOR), millis(3_675_000));

    assertThat(controller.decision().demand()).isNotEqualTo(Lane.CLOSED);
  }

  /** Phases with gaps between them, seconds each: how much of an hour tasks are shut out. */
  private static double partShutOut(long phase, long gap) {
    var controller = controller(BufferMode.FULL_DELAY);
    int shutOut = 0;
    for (long second = 0; second < 3600; second++) {
      boolean open = second % (phase + gap) < phase;
      controller.update(open ? Conditions.inPhase(IOR) : Conditions.quiet(), millis(1000 * second));
      shutOut += controller.decision().demand().closed() ? 1 : 0;
    }
    return shutOut / 3600.0;
  }

  @Test
  @Tag("slow")
  @Timeout(600) // on a busy machine; it does nothing but compute
  void noPhaseAndNoGapUpToMinutesKeepsTasksWaitingForEver() {
    for (long phase = 1; phase <= 120; phase++) {
      for (long gap = 1; gap <= 30; gap++) {
        assertThat(partShutOut(phase, gap)).isLessThan(0.8 + 61.0 / 3600);
      }
    }
  }

  @Test
  void shortGapsDoNotKeepTasksWaitingForEver() {
    for (long phase = 1; phase <= 120; phase += 7) {
      assertThat(partShutOut(phase, 1)).isLessThan(0.8 + 61.0 / 3600);
    }
    assertThat(partShutOut(50, 13)).as("ordinary phases are protected").isGreaterThan(0.78);
    assertThat(partShutOut(59, 1)).as("nearly without a gap").isLessThan(0.1);
  }

  @ParameterizedTest
  @EnumSource(names = {"NAIVE_BB", "NO_ACTION"})
  void theOtherModesNeverHold(BufferMode mode) {
    var controller = controller(mode);
    controller.update(Conditions.inPhase(IOR), millis(1));

    assertThat(controller.decision().held()).isFalse();
    assertThat(controller.nextPermit().demand()).isEqualTo(Lane.OPEN);
  }

  @Test
  void permitsAreRenewedEveryHalfSecondAndTheirSequenceGrows() {
    var controller = controller(BufferMode.FULL_DELAY);
    int renewals = 0;
    for (long t = 100; t <= 10_000; t += 100) {
      renewals += controller.update(Conditions.quiet(), millis(t)) ? 1 : 0;
    }
    assertThat(renewals).isEqualTo(20);
    assertThat(controller.nextPermit().sequence()).isLessThan(controller.nextPermit().sequence());
  }

  @Test
  void aCappedRateOfZeroIsRefused() {
    assertThatThrownBy(() -> new FullDelay(DemandPolicy.WAIT, Duration.ZERO, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
