package io.eley.controller.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.Permit.Lane;
import io.eley.controller.phase.AnnouncedPhases;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.PhaseListener;
import io.eley.prefetcher.control.Conditions;
import io.eley.prefetcher.control.DemandPolicy;
import io.eley.prefetcher.control.FullDelay;
import io.eley.prefetcher.control.PermitController;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random announcements of several applications, from announcement to permit and to what a node
 * reads under it, against a list of leases. Time is the test's.
 */
class HoldScenariosTest {
  private static final int SCENARIOS = 1000;
  private static final int STEPS = 200;
  private static final Duration DELAY_MAX = Duration.ofSeconds(5);
  private static final Duration RENEWAL = Duration.ofMillis(500);
  private static final Lane CAPPED = new Lane(1 << 20, Integer.MAX_VALUE);

  /** With a node of our own, and with one whose blocks are in another engine. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void inFullDelayNoPermitIsOpenInsideAPhaseAndNoneClosedOutside(boolean ofEngine) {
    long base = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed of the holds (-Deley.test.seed=...): " + base);
    for (int i = 0; i < SCENARIOS; i++) {
      long seed = base + i;
      try {
        new Scenario(new Random(seed), ofEngine).run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("scenario with seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  private static final class Scenario {
    private final Random random;
    private final Map<String, Long> leases = new TreeMap<>();
    private final AnnouncedPhases phases = new AnnouncedPhases(new PhaseLogOff());
    private final PermitController controller;
    private final ReadingNode node;
    private long now;
    private long age;
    private boolean held;
    private long sequence;
    private long toldAt;
    private Lane toldPrefetch = Lane.OPEN;
    private Lane toldDemand = Lane.OPEN;

    Scenario(Random random, boolean ofEngine) {
      this.random = random;
      this.now = random.nextLong();
      this.toldAt = now;
      var operator = new FullDelay(DemandPolicy.WAIT, DELAY_MAX, CAPPED.bytesPerSecond());
      this.controller =
          new PermitController(operator, DELAY_MAX, Duration.ofSeconds(2), RENEWAL, now);
      node = new ReadingNode(ofEngine, DELAY_MAX, CAPPED.bytesPerSecond(), () -> now);
      node.apply(controller.nextPermit());
    }

    void run() {
      for (int i = 0; i < STEPS; i++) {
        long step = Duration.ofMillis(random.nextInt(400)).toNanos();
        now += step;
        age = Math.min(DELAY_MAX.toNanos(), Math.max(0, age + (held ? step : -4 * step)));
        leases.values().removeIf(end -> end - now <= 0);
        announce(random.nextBoolean() ? "ior" : "lammps");
        tell();
        node.endSome(random);
        node.beginAll();
        check();
      }
    }

    private void announce(String application) {
      switch (random.nextInt(10)) {
        case 0, 1 -> {
          var lease = Duration.ofMillis(1 + random.nextInt(9000));
          assertThat(phases.begin(application, lease, now))
              .isEqualTo(!leases.containsKey(application));
          leases.put(application, now + lease.toNanos());
        }
        case 2 ->
            assertThat(phases.end(application, now)).isEqualTo(leases.remove(application) != null);
        default -> {}
      }
    }

    /** As the coordinator does it: nodes are told only when the controller says so. */
    private void tell() {
      phases.expire(now);
      var open = phases.openPhases(now).stream().map(Evidence::application).toList();
      assertThat(open).containsExactlyElementsOf(leases.keySet());
      if (controller.update(Conditions.inPhase(open), now)) {
        var permit = controller.nextPermit();
        assertThat(permit.sequence()).isGreaterThan(sequence);
        sequence = permit.sequence();
        toldAt = now;
        toldPrefetch = permit.prefetch();
        toldDemand = permit.demand();
        node.apply(permit);
      }
    }

    private void check() {
      held = !leases.isEmpty();
      boolean tooLong = age >= DELAY_MAX.toNanos();
      assertThat(toldPrefetch).as("prefetch").isEqualTo(held ? Lane.CLOSED : Lane.OPEN);
      assertThat(toldDemand)
          .as("demand")
          .isEqualTo(!held ? Lane.OPEN : tooLong ? CAPPED : Lane.CLOSED);
      node.check(held);
      assertThat(now - toldAt).as("renewed in time").isLessThan(RENEWAL.toNanos());
    }
  }

  private static final class PhaseLogOff implements PhaseListener {
    @Override
    public void opened(Evidence phase) {}

    @Override
    public void closed(Evidence phase, long at, Ending why) {
      assertThat(at - phase.since()).as("a phase lasts").isNotNegative();
    }
  }
}
