package io.eley.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class VerdictWordsTest {
  @Test
  void twoDigitsAreEnoughWhereTheyDiffer() {
    assertThat(VerdictWords.of(verdict(0.554, 0.6, true)))
        .isEqualTo(new VerdictWords("met", "0.55", "bound 0.60"));
  }

  @Test
  void aHairAboveTheBoundIsSeen() {
    assertThat(VerdictWords.of(verdict(0.6004, 0.6, false)))
        .isEqualTo(new VerdictWords("not met", "0.6004", "bound 0.6000"));
    assertThat(VerdictWords.of(verdict(4 + 1.0 / (1 << 20), 4, false)).measured())
        .isEqualTo("4.000001");
  }

  @Test
  void whatHasToBeBelowItsBoundSaysSoWhenItIsEqual() {
    assertThat(VerdictWords.of(verdict(1.0, 1, false)))
        .isEqualTo(new VerdictWords("not met", "1.00", "has to be below 1.00"));
    assertThat(VerdictWords.of(verdict(1.0, 1, true)).bound()).isEqualTo("bound 1.00");
  }

  @Test
  void whatWasNotMeasuredIsNeitherMetNorNotMet() {
    assertThat(VerdictWords.of(verdict(null, 3, false)))
        .isEqualTo(new VerdictWords("not measured", "-", "bound 3.00"));
    assertThat(VerdictWords.of(verdict(Double.NaN, 3, false)).measured()).isEqualTo("-");
  }

  @Test
  void nothingIsMinusZero() {
    assertThat(VerdictWords.of(verdict(-0.001, 3, true)).measured()).isEqualTo("0.00");
    assertThat(DistinctFigures.of(-1e-9, 0, 2))
        .isEqualTo(new DistinctFigures("-0.000000001", "0.000000000"));
  }

  @Test
  void whateverTheFiguresTheirTextsDifferAsTheyDo() {
    var random = new Random(17);
    for (int i = 0; i < 20_000; i++) {
      double bound = random.nextInt(5) * 0.3 + (random.nextBoolean() ? 0 : random.nextGaussian());
      double gap = Math.pow(10, -random.nextInt(18)) * random.nextInt(3);
      double measured = random.nextInt(8) == 0 ? Math.nextUp(bound) : bound + gap;
      var words = VerdictWords.of(verdict(measured, bound, false));
      var shown = new BigDecimal(words.measured());
      var against = new BigDecimal(words.bound().replaceAll("[^-0-9.]", ""));

      assertThat(Integer.signum(shown.compareTo(against)))
          .as("%s against %s: %s", measured, bound, words)
          .isEqualTo(Double.compare(measured, bound));
      assertThat(words.bound().startsWith("has to be below")).isEqualTo(measured == bound);
      assertThat(shown.doubleValue())
          .isCloseTo(measured, org.assertj.core.data.Offset.offset(.006));
    }
  }

  private static Verdict verdict(@Nullable Double measured, double bound, boolean met) {
    return new Verdict("id", "WordCount", "some bound holds", measured, bound, "×", met, "why");
  }
}
