package io.eley.bb.server.scratch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rule, and the ledger that keeps it. */
class TierRuleTest {
  private static final long MIB = 1 << 20;

  /** The numbers of the class's documentation. */
  @Test
  void theOverflowTakesWhatTheShareOfRamDoesNot() {
    var rule = new TierRule(new ScratchShare(100 * MIB, 0.75), 200 * MIB);
    var ledger = new ScratchLedger(rule, new Ram(100 * MIB));
    var tiers = new ArrayList<Optional<Tier>>();
    for (int i = 0; i < 9; i++) {
      tiers.add(ledger.reserve(30 * MIB));
    }
    assertThat(tiers.subList(0, 2)).containsOnly(Optional.of(Tier.RAM));
    assertThat(tiers.subList(2, 8)).containsOnly(Optional.of(Tier.OVERFLOW));
    assertThat(tiers.get(8)).isEmpty();
    assertThat(ledger.reserve(15 * MIB)).contains(Tier.RAM);
    assertThat(ledger.counters().refused()).isEqualTo(1);
  }

  @Test
  void withoutAnOverflowThereIsRamAlone() {
    var rule = new TierRule(new ScratchShare(100, 0.5), 0);
    assertThat(rule.candidates(0, 0, 50)).containsExactly(Tier.RAM);
    assertThat(rule.candidates(0, 0, 51)).isEmpty();
    assertThat(rule.candidates(50, 0, 0)).as("nothing needs no room").containsExactly(Tier.RAM);
    assertThatIllegalArgumentException().isThrownBy(() -> new TierRule(rule.ram(), -1));
  }

  @Test
  void ramThatInputDoesNotYieldIsNoObstacle() {
    var ledger = new ScratchLedger(new TierRule(new ScratchShare(100, 1), 100), new Ram(10));
    assertThat(ledger.reserve(20)).contains(Tier.OVERFLOW);
    assertThat(ledger.counters().bytes()).isZero();
    assertThat(ledger.reserve(10)).contains(Tier.RAM);
  }

  /** RAM of which input does not yield all. */
  private static final class Ram implements ScratchRoom {
    final AtomicLong used = new AtomicLong();
    final long most;

    Ram(long most) {
      this.most = most;
    }

    @Override
    public boolean reserve(long bytes) {
      if (used.get() + bytes > most) {
        return false;
      }
      used.addAndGet(bytes);
      return true;
    }

    @Override
    public void release(long bytes) {
      assertThat(used.addAndGet(-bytes)).isNotNegative();
    }

    @Override
    public void refuse(long bytes) {}
  }

  private record Held(Tier tier, long bytes) {}

  /** Whatever comes and goes, each tier keeps its size, and none is passed over that has room. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("io.eley.bb.server.scratch.ScratchStoreModelTest#seeds")
  void tiersKeepTheirSizes(long seed) {
    var random = new Random(seed);
    var ram = new Ram(random.nextInt(2000));
    var share = new ScratchShare(random.nextInt(2000), random.nextDouble());
    var rule = new TierRule(share, random.nextBoolean() ? 0 : random.nextInt(2000));
    var ledger = new ScratchLedger(rule, ram);
    List<Held> held = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      Map<Tier, Long> used = new EnumMap<>(Tier.class);
      held.forEach(h -> used.merge(h.tier(), h.bytes(), Long::sum));
      long inRam = used.getOrDefault(Tier.RAM, 0L);
      long behind = used.getOrDefault(Tier.OVERFLOW, 0L);
      assertThat(ledger.counters().bytes()).isEqualTo(inRam).isEqualTo(ram.used.get());
      assertThat(inRam).isLessThanOrEqualTo(Math.min(share.limitBytes(), ram.most));
      assertThat(ledger.counters().overflow().bytes()).isEqualTo(behind);
      assertThat(behind).isLessThanOrEqualTo(rule.overflowBytes());
      if (!held.isEmpty() && random.nextBoolean()) {
        Held leaving = held.remove(random.nextInt(held.size()));
        ledger.release(leaving.tier(), leaving.bytes());
        continue;
      }
      long bytes = random.nextInt(300);
      boolean fitsRam = inRam + bytes <= Math.min(share.limitBytes(), ram.most);
      boolean fitsBehind = rule.overflowBytes() > 0 && behind + bytes <= rule.overflowBytes();
      Optional<Tier> tier = ledger.reserve(bytes);
      assertThat(tier)
          .isEqualTo(
              fitsRam
                  ? Optional.of(Tier.RAM)
                  : fitsBehind ? Optional.of(Tier.OVERFLOW) : Optional.empty());
      tier.ifPresent(t -> held.add(new Held(t, bytes)));
    }
  }
}
