package io.eley.bb.server.scratch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.eley.bb.api.wire.ScratchMessage.Part;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ScratchShareTest {
  @Test
  void scratchGrowsToItsShareAndNoFurther() {
    var share = new ScratchShare(1000, 0.75);
    assertThat(share.limitBytes()).isEqualTo(750);
    assertThat(share.allows(0, 750)).isTrue();
    assertThat(share.allows(0, 751)).isFalse();
    assertThat(share.allows(700, 50)).isTrue();
    assertThat(share.allows(700, 51)).isFalse();
    assertThat(new ScratchShare(1000, 0).allows(0, 1)).isFalse();
    assertThat(new ScratchShare(1000, 1).allows(0, 1000)).isTrue();
  }

  @Test
  void aShareIsAPart() {
    assertThatIllegalArgumentException().isThrownBy(() -> new ScratchShare(1000, 1.01));
    assertThatIllegalArgumentException().isThrownBy(() -> new ScratchShare(1000, Double.NaN));
    assertThatIllegalArgumentException().isThrownBy(() -> new ScratchShare(-1, 0.5));
  }

  @Test
  void lengthsThatWouldOverflowAreNoLengths() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Part("data", Long.MAX_VALUE));
    long most = IncomingOutput.footprint(List.of(new Part("data", Part.BYTES_MAX)));
    assertThat(most).isGreaterThanOrEqualTo(Part.BYTES_MAX);
    assertThat(new ScratchShare(1L << 40, 1).allows(0, 3 * most)).isFalse();
  }

  /** Whatever comes and goes, scratch never exceeds its share, and input keeps its floor. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("io.eley.bb.server.scratch.ScratchStoreModelTest#seeds")
  void inputKeepsItsFloor(long seed) {
    var random = new Random(seed);
    var share = new ScratchShare(random.nextLong(1L << 40), random.nextDouble());
    long floor = share.capacityBytes() - share.limitBytes();
    long used = 0;
    for (int i = 0; i < 200; i++) {
      long more = random.nextLong(1 + share.capacityBytes() / 4);
      boolean fits = used + more <= share.limitBytes();
      assertThat(share.allows(used, more)).isEqualTo(fits);
      used = fits ? used + more : random.nextLong(1 + used);
      assertThat(share.capacityBytes() - used).isGreaterThanOrEqualTo(floor);
    }
  }
}
