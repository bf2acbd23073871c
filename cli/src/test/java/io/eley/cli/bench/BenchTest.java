package io.eley.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.client.ClientKeys;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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

  /** Each look at the clock takes a second: the first reading is cut off in its third one. */
  @Test
  void whatIsReadAgainWasFetched() throws Exception {
    try (var files = BenchFiles.below(temp);
        var client = client()) {
      files.write(8 << 20, MINUTE);
      var seconds = new AtomicLong();
      var reads =
          new BufferedReads(client, () -> TimeUnit.SECONDS.toNanos(seconds.getAndIncrement()));
      var large = List.of(below(files.large()));
      var small = files.small().stream().map(this::below).toList();

      Rate cut = reads.read(large, TimeUnit.SECONDS.toNanos(2));
      Rate again = reads.again(cut, large, MINUTE);
      assertThat(cut.bytes()).isEqualTo(3 << 20);
      assertThat(again.bytes()).isEqualTo(3 << 20);
      assertThat(again.files()).isEqualTo(1);

      Rate few = reads.read(small, TimeUnit.SECONDS.toNanos(2));
      Rate fewAgain = reads.again(few, small, MINUTE);
      assertThat(few.bytes()).isEqualTo(3L * (64 << 10));
      assertThat(fewAgain.bytes()).isEqualTo(few.bytes());
      assertThat(fewAgain.files()).isEqualTo(3);

      Rate all = reads.read(small, TimeUnit.HOURS.toNanos(1));
      assertThat(all.files()).isEqualTo(200);
      assertThat(reads.again(all, small, TimeUnit.HOURS.toNanos(1)))
          .returns(all.bytes(), Rate::bytes)
          .returns(200, Rate::files);
    }
  }

  /** Of an origin without a deployment. */
  private EleyClient client() throws EleyException {
    return EleyClient.open(
        ClientOptions.from(Settings.of(Map.of(ClientKeys.ORIGIN.name(), temp.toString()))));
  }

  private String below(Path file) {
    return "/" + temp.relativize(file);
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
