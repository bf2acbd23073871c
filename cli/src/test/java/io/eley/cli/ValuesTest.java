package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.DataSize;
import io.eley.ior.SizeConverter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

/** Values as options take them, and our own sentence about a bad one. */
class ValuesTest {
  private final SizeConverter sizes = new SizeConverter();
  private final ModeConverter modes = new ModeConverter();

  @Test
  void aSizeHasAUnit() {
    assertThat(sizes.convert("16m")).isEqualTo(DataSize.ofMebibytes(16));
  }

  @ParameterizedTest
  @EnumSource(BufferMode.class)
  void aModeIsNamedByItsLabelInWhateverCase(BufferMode mode) {
    assertThat(modes.convert(mode.label())).isEqualTo(mode);
    assertThat(modes.convert(mode.label().toLowerCase(java.util.Locale.ROOT))).isEqualTo(mode);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "lots", "12q"})
  void aSizeThatIsNoneIsSaidInOurWords(String text) {
    assertThatThrownBy(() -> sizes.convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("not a size: '" + text + "'");
  }

  @Test
  void aModeThatIsNoneIsSaidInOurWords() {
    assertThatThrownBy(() -> modes.convert("Sideways"))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("no mode 'Sideways'");
  }

  @Test
  void aValueWithoutAReasonIsStillAnError() {
    assertThatThrownBy(
            () ->
                Converted.of(
                    () -> {
                      throw new IllegalArgumentException();
                    }))
        .isInstanceOf(TypeConversionException.class);
  }
}
