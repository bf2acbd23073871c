package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ByteRange;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.orc.TypeDescription;
import org.apache.parquet.hadoop.metadata.FileMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;

class FooterCacheTest {
  private final FooterCache cache = new FooterCache(10);
  private int reads;

  @Test
  void aVersionIsReadOnceAndAnotherOneAnew() {
    assertThat(cache.get(file("a", 1), f -> footer(1))).isCompleted();
    assertThat(cache.get(file("a", 1), f -> footer(1))).isCompleted();
    assertThat(reads).isEqualTo(1);
    assertThat(cache.get(file("a", 2), f -> footer(1))).isCompleted();
    assertThat(reads).isEqualTo(2);
  }

  @Test
  void whatWasUsedLongestAgoGivesWay() {
    assertThat(cache.get(file("a", 1), f -> footer(4))).isCompleted();
    assertThat(cache.get(file("b", 1), f -> footer(4))).isCompleted();
    assertThat(cache.get(file("a", 1), f -> footer(4))).isCompleted();
    assertThat(cache.get(file("c", 1), f -> footer(4))).isCompleted();
    assertThat(cache.files()).isEqualTo(2);
    assertThat(cache.get(file("a", 1), f -> footer(4))).isCompleted();
    assertThat(reads).isEqualTo(3);
    assertThat(cache.get(file("b", 1), f -> footer(4))).isCompleted();
    assertThat(reads).isEqualTo(4);
  }

  @Test
  void oneThatIsTooLargeIsNotKept() {
    assertThat(cache.get(file("a", 1), f -> footer(11))).isCompleted();
    assertThat(cache.files()).isZero();
    assertThat(cache.get(file("b", 1), f -> footer(10))).isCompleted();
    assertThat(cache.files()).isEqualTo(1);
  }

  /** It was taken off a sum that it was never added to, which grew the cache. */
  @Test
  void whatIsDoneAndNotCountedYetIsNotCountedOff() {
    var late = new CompletableFuture<Footer>();
    var first = cache.get(file("a", 1), f -> late);
    // Runs before what the cache does with it, as on another thread.
    var between =
        late.thenRun(
            () -> assertThat(cache.get(file("b", 1), f -> footer(11))).as("alone").isCompleted());
    late.complete(footer(6).join());
    assertThat(first).isCompleted();
    assertThat(between).isCompleted();
    assertThat(cache.files()).isEqualTo(1);
    assertThat(cache.get(file("c", 1), f -> footer(6))).isCompleted();
    assertThat(cache.files()).as("two of six are more than ten").isEqualTo(1);
  }

  /** Parquet keeps up to 4 KiB of a chunk's smallest and largest value, and notes of any length. */
  @Test
  void whatAFooterHoldsBesideItsColumnsCounts() {
    var small = new FooterCache(100 << 10);
    for (int i = 0; i < 10; i++) {
      ColumnarFile file = file("long" + i, 1);
      var schema = MessageTypeParser.parseMessageType("message table { required int64 id; }");
      var metadata = new ParquetMetadata(new FileMetaData(schema, Map.of(), "test"), List.of());
      var tail = new ByteRange(0, 40 << 10);
      var footer = new ParquetFooter(file.path(), new Configuration(false), metadata, tail);
      var orc = new OrcFooter(TypeDescription.createStruct(), List.of(), tail);
      assertThat(small.get(file, f -> CompletableFuture.completedFuture(footer))).isCompleted();
      assertThat(small.files()).isLessThanOrEqualTo(2);
      assertThat(small.get(file("orc" + i, 1), f -> CompletableFuture.completedFuture(orc)))
          .isCompleted();
      assertThat(small.files()).isEqualTo(2);
    }
  }

  @Test
  void aFailureIsForgotten() {
    var read = new CompletableFuture<Footer>();
    var first = cache.get(file("a", 1), f -> read);
    read.completeExceptionally(new IOException("away"));
    assertThat(first).isCompletedExceptionally();
    assertThat(cache.get(file("a", 1), f -> footer(1))).isCompleted();
  }

  private CompletableFuture<Footer> footer(int weight) {
    reads++;
    return CompletableFuture.completedFuture(
        new Footer() {
          @Override
          public Optional<List<ByteRange>> ranges(ScanColumns scan, ByteRange split) {
            return Optional.empty();
          }

          @Override
          public ByteRange tail() {
            return new ByteRange(0, 0);
          }

          @Override
          public long weight() {
            return weight;
          }
        });
  }

  private static ColumnarFile file(String name, long modified) {
    return new ColumnarFile(new Path("/in/" + name), 100, modified);
  }
}
