package io.eley.controller.phase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.controller.phase.PhaseListener.Ending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnnouncedPhasesTest {
  private static final Duration LEASE = Duration.ofSeconds(10);

  private record Closed(Evidence phase, long at, Ending why) {}

  private final List<Evidence> opened = new ArrayList<>();
  private final List<Closed> closed = new ArrayList<>();
  private final AnnouncedPhases phases =
      new AnnouncedPhases(
          new PhaseListener() {
            @Override
            public void opened(Evidence phase) {
              opened.add(phase);
            }

            @Override
            public void closed(Evidence phase, long at, Ending why) {
              closed.add(new Closed(phase, at, why));
            }
          });

  private static long seconds(long seconds) {
    return Duration.ofSeconds(seconds).toNanos();
  }

  private static Evidence ior(long since) {
    return new Evidence("ior", "announced", since, 1);
  }

  /** What is open once the phases that are due have been closed. */
  private List<Evidence> openAt(long now) {
    phases.expire(now);
    return phases.openPhases(now);
  }

  @Test
  void aPhaseIsOpenFromItsBeginToItsEnd() {
    assertThat(phases.begin("ior", LEASE, 7)).isTrue();
    assertThat(openAt(seconds(5))).containsExactly(ior(7));
    assertThat(phases.end("ior", seconds(5))).isTrue();
    assertThat(openAt(seconds(5))).isEmpty();

    assertThat(opened).containsExactly(ior(7));
    assertThat(closed).containsExactly(new Closed(ior(7), seconds(5), Ending.ANNOUNCED));
  }

  @Test
  void aPhaseWhoseApplicationDiedEndsWithItsLease() {
    phases.begin("ior", LEASE, 0);

    assertThat(openAt(seconds(10) - 1)).containsExactly(ior(0));
    assertThat(openAt(seconds(11))).isEmpty();
    assertThat(phases.end("ior", seconds(11))).isFalse();
    assertThat(closed)
        .as("it ended with the lease, not when that was noticed")
        .containsExactly(new Closed(ior(0), seconds(10), Ending.LEASE_EXPIRED));
  }

  @Test
  void announcingAgainRenewsTheLeaseAndIsTheSamePhase() {
    phases.begin("ior", LEASE, 0);
    assertThat(phases.begin("ior", LEASE, seconds(9))).isFalse();

    assertThat(openAt(seconds(18))).containsExactly(ior(0));
    assertThat(openAt(seconds(19))).isEmpty();
    assertThat(opened).hasSize(1);
    assertThat(closed).hasSize(1);
  }

  @Test
  void onceOverANewPhaseHasItsOwnBegin() {
    phases.begin("ior", LEASE, 0);
    assertThat(phases.begin("ior", LEASE, seconds(20))).isTrue();

    assertThat(opened).containsExactly(ior(0), ior(seconds(20)));
    assertThat(closed).hasSize(1);
    assertThat(openAt(seconds(29))).containsExactly(ior(seconds(20)));
  }

  @Test
  void severalApplicationsAreNamedInOrder() {
    phases.begin("lammps", LEASE, 0);
    phases.begin("ior", LEASE, 0);
    assertThat(openAt(1)).extracting(Evidence::application).containsExactly("ior", "lammps");

    phases.end("ior", 2);
    assertThat(openAt(3)).extracting(Evidence::application).containsExactly("lammps");
  }

  @Test
  void endingAPhaseThatIsNotOpenIsFine() {
    assertThat(phases.end("nobody", 0)).isFalse();
    assertThat(closed).isEmpty();
  }

  @Test
  void aClockThatWrapsAroundAndALeaseOfAgesDoNoHarm() {
    phases.begin("ior", Duration.ofSeconds(Long.MAX_VALUE), Long.MAX_VALUE - 5);
    assertThat(openAt(Long.MIN_VALUE + 5)).containsExactly(ior(Long.MAX_VALUE - 5));
    assertThatThrownBy(() -> phases.begin("ior", Duration.ZERO, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
