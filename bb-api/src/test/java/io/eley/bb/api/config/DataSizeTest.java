package io.eley.bb.api.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DataSizeTest {
  @ParameterizedTest
  @CsvSource({
    "4kb, 4096",
    "4KiB, 4096",
    "4 k, 4096",
    "' 3 MB ', 3145728",
    "2gIb, 2147483648",
    "7b, 7",
    "7ib, 7",
    "1TiB, 1099511627776",
    "8191k, 8387584"
  })
  void unitsMayBeWrittenOutInAnyLetterCase(String text, long bytes) {
    assertThat(DataSize.parse(text).bytes()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({
    "9223372036854775807, 9223372036854775807",
    "8388607t, 9223370937343148032",
    "8589934591g, 9223372035781033984"
  })
  void theLargestSizesFit(String text, long bytes) {
    assertThat(DataSize.parse(text).bytes()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({"9223372036854775808", "8388608t", "8589934592g", "18446744073709551617"})
  void whatDoesNotFitIsTooLargeAndDoesNotWrap(String text) {
    assertThatThrownBy(() -> DataSize.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("size too large: '" + text + "'");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1023, 1023",
    "1024, 1k",
    "1025, 1025",
    "1536, 1536",
    "1048576, 1m",
    "1049600, 1025k",
    "1073741824, 1g",
    "1099511627776, 1t",
    "1125899906842624, 1024t"
  })
  void theTextIsTheShortestExactOne(long bytes, String text) {
    assertThat(new DataSize(bytes)).hasToString(text);
  }

  @Test
  void everySizeIsReadBackFromItsText() {
    var random = Seed.random("the sizes");
    for (int i = 0; i < 5000; i++) {
      long bytes = Seed.number(random) & Long.MAX_VALUE;
      assertThat(DataSize.parse(new DataSize(bytes).toString()).bytes()).isEqualTo(bytes);
    }
  }

  @Test
  void sizesAreInTheOrderOfTheirBytes() {
    var random = Seed.random("the pairs");
    for (int i = 0; i < 1000; i++) {
      long a = Seed.number(random) & Long.MAX_VALUE;
      long b = random.nextInt(4) == 0 ? a : Seed.number(random) & Long.MAX_VALUE;
      assertThat(new DataSize(a).compareTo(new DataSize(b))).isEqualTo(Long.compare(a, b));
    }
  }

  @Test
  void mebibytesAndIntsAreHeldAgainstTheirBounds() {
    assertThat(DataSize.ofMebibytes(3)).isEqualTo(DataSize.parse("3m"));
    assertThatThrownBy(() -> DataSize.ofMebibytes(1L << 43))
        .isInstanceOf(ArithmeticException.class);
    assertThat(new DataSize(Integer.MAX_VALUE).intBytes()).isEqualTo(Integer.MAX_VALUE);
    assertThatThrownBy(new DataSize(1L << 31)::intBytes).isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> new DataSize(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
