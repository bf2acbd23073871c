package io.eley.hooks.signal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AnnouncedPhasesTest {
  private static final Duration LEASE = Duration.ofSeconds(10);

  private final AnnouncedPhases phases = new AnnouncedPhases();

  private static long seconds(long seconds) {
    return Duration.ofSeconds(seconds).toNanos();
  }

  @Test
  void aPhaseIsOpenFromItsBeginToItsEnd() {
    assertThat(phases.begin("ior", LEASE, 0)).isTrue();
    assertThat(phases.openPhases(seconds(5))).containsExactly("ior");
    assertThat(phases.end("ior", seconds(5))).isTrue();
    assertThat(phases.openPhases(seconds(5))).isEmpty();
  }

  @Test
  void aPhaseWhoseApplicationDiedEndsWithItsLease() {
    phases.begin("ior", LEASE, 0);

    assertThat(phases.openPhases(seconds(10) - 1)).containsExactly("ior");
    assertThat(phases.openPhases(seconds(10))).isEmpty();
    assertThat(phases.end("ior", seconds(10))).isFalse();
  }

  @Test
  void announcingAgainRenewsTheLease() {
    phases.begin("ior", LEASE, 0);
    assertThat(phases.begin("ior", LEASE, seconds(9))).isFalse();

    assertThat(phases.openPhases(seconds(18))).containsExactly("ior");
    assertThat(phases.openPhases(seconds(19))).isEmpty();
  }

  @Test
  void severalApplicationsAreNamedInOrder() {
    phases.begin("lammps", LEASE, 0);
    phases.begin("ior", LEASE, 0);

    assertThat(phases.openPhases(1)).containsExactly("ior", "lammps");
  }

  @Test
  void endingAPhaseThatIsNotOpenIsFine() {
    assertThat(phases.end("nobody", 0)).isFalse();
  }

  @Test
  void aClockThatWrapsAroundAndALeaseOfAgesDoNoHarm() {
    phases.begin("ior", Duration.ofSeconds(Long.MAX_VALUE), Long.MAX_VALUE - 5);
    assertThat(phases.openPhases(Long.MIN_VALUE + 5)).containsExactly("ior");
    assertThatThrownBy(() -> phases.begin("ior", Duration.ZERO, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
