package io.eley.spark.connector.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.FileRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges as Hadoop's contract wants them, on each Hadoop that has vectored reads. */
class VectoredReadTest {
  private static final long LENGTH = 100;

  /** Of {@code offset+length}, with spaces between. */
  private static List<FileRange> ranges(String text) {
    return Arrays.stream(text.split(" ", -1))
        .map(range -> range.split("\\+", -1))
        .map(r -> FileRange.createFileRange(Long.parseLong(r[0]), Integer.parseInt(r[1])))
        .toList();
  }

  @Test
  void rangesAreSortedAndStayTheCallersOwn() throws Exception {
    var ranges = ranges("90+10 0+10 10+0 10+30");
    assertThat(VectoredRead.sorted(ranges, LENGTH))
        .containsExactly(ranges.get(1), ranges.get(2), ranges.get(3), ranges.get(0));
    assertThat(VectoredRead.sorted(List.of(), 0)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1+2", "100+0", "100+1", "0+101", "50+10 9223372036854775807+1"})
  void whatLiesOutsideTheFileIsItsEnd(String outside) {
    assertThatThrownBy(() -> VectoredRead.sorted(ranges(outside), LENGTH))
        .isInstanceOf(EOFException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0+-1", "10+10 0+11", "5+1 5+1"})
  void whatIsNoRangeOrOverlapsAnotherIsRefused(String wrong) {
    assertThatThrownBy(() -> VectoredRead.sorted(ranges(wrong), LENGTH))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Its methods differ between 3.3.5, 3.4.0 and 3.4.1; tests run on one Hadoop only. */
  @Test
  void noMethodIsCalledThatOnlySomeHadoopsHave() throws Exception {
    try (var code = VectoredRead.class.getResourceAsStream("VectoredRead.class")) {
      assertThat(code).isNotNull();
      assertThat(new String(code.readAllBytes(), StandardCharsets.ISO_8859_1))
          .contains("org/apache/hadoop/fs/FileRange")
          .doesNotContain("VectoredReadUtils");
    }
  }
}
