package io.eley.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchTest {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  @TempDir private Path temp;

  @Test
  void filesAreWrittenReadAndRemoved() throws Exception {
    try (var files = BenchFiles.below(temp)) {
      files.write(3 << 20, MINUTE);
      assertThat(files.large()).hasSize(3 << 20);
      assertThat(files.small()).hasSize(200);
      assertThat(files.readLarge(MINUTE).bytes()).isEqualTo(3 << 20);
      Rate small = files.readSmall(MINUTE);
      assertThat(small.files()).isEqualTo(200);
      assertThat(small.bytes()).isEqualTo(200L * (64 << 10));
    }
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void aSlowFileSystemMakesASmallerMeasurement() throws Exception {
    try (var files = BenchFiles.below(temp)) {
      files.write(1L << 30, 0);
      assertThat(files.largeBytes()).isEqualTo(1 << 20);
      assertThat(files.small()).hasSize(1);
      assertThat(files.readLarge(0).bytes()).isEqualTo(1 << 20);
    }
    try (var left = Files.list(temp)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void theVerdictSaysWhereNothingIsToBeGained() {
    Rate slow = new Rate(100_000_000, 10, 1);
    Rate fast = new Rate(100_000_000, 10, 0.25);
    var verdict = new GainVerdict(slow, slow, fast, fast, slow, fast, false);
    assertThat(verdict.largeGain()).isEqualTo(4);
    assertThat(verdict.lines())
        .contains(
            "Large files: from RAM 4.0 times as fast, as far as prefetching is ahead of the tasks.",
            "Small files: nothing is to be gained while nobody else loads the file system (1.0 times"
                + " as fast from RAM).")
        .last()
        .asString()
        .contains("page cache");
    assertThat(verdict.lines().get(1))
        .isEqualTo("the file system itself                    100             40");
  }
}
