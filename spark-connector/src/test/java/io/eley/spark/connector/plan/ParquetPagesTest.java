package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ByteRange;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.GreaterThanOrEqual;
import org.apache.spark.sql.sources.LessThanOrEqual;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages of a sorted file of 20 pages a column, of which a filter leaves one. */
class ParquetPagesTest {
  private static final int ROWS = 10_000;
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          "message table { required int64 id; required int64 v; required int64 w; }");
  private static final StructType COLUMNS =
      new StructType().add("id", DataTypes.LongType, false).add("v", DataTypes.LongType, false);
  private static final List<Filter> FILTERS =
      List.of(new GreaterThanOrEqual("id", 1007L), new LessThanOrEqual("id", 1009L));

  @TempDir private Path temp;

  private final Configuration conf = new Configuration();
  private Path file;
  private ParquetFooter footer;

  @BeforeEach
  void write() throws Exception {
    conf.set("fs.file.impl", RawLocalFileSystem.class.getName());
    conf.setBoolean("fs.file.impl.disable.cache", true);
    file = temp.resolve("table.parquet");
    var path = new org.apache.hadoop.fs.Path(file.toUri());
    var rows = new SimpleGroupFactory(SCHEMA);
    try (var writer =
        ExampleParquetWriter.builder(path)
            .withConf(conf)
            .withType(SCHEMA)
            .withDictionaryEncoding(false)
            .withPageRowCountLimit(ROWS / 20)
            .build()) {
      for (long id = 0; id < ROWS; id++) {
        writer.write(rows.newGroup().append("id", id).append("v", 3 * id).append("w", 5 * id));
      }
    }
    var listed = new ColumnarFile(path, Files.size(file), 1);
    footer = (ParquetFooter) new FooterReader(conf).read(listed);
  }

  private List<ByteRange> ranges() {
    var scan = new ScanColumns(COLUMNS, FILTERS, false);
    return footer.ranges(scan, new ByteRange(0, footer.tail().end())).orElseThrow();
  }

  private static long bytes(List<ByteRange> ranges) {
    return ranges.stream().mapToLong(ByteRange::length).sum();
  }

  private List<ColumnChunkMetaData> chunks() {
    assertThat(footer.metadata().getBlocks()).hasSize(1);
    return footer.metadata().getBlocks().get(0).getColumns();
  }

  /** The tail, and whole chunks of the columns that are wanted. */
  private List<ByteRange> withoutIndexes() {
    var ranges = new ArrayList<ByteRange>(List.of(footer.tail()));
    chunks()
        .subList(0, 2)
        .forEach(c -> ranges.add(new ByteRange(c.getStartingPos(), c.getTotalSize())));
    return ranges;
  }

  /** Where all indexes are: between the last column and the footer. */
  private ByteRange indexes() {
    ColumnChunkMetaData last = chunks().get(2);
    long begin = last.getStartingPos() + last.getTotalSize();
    return new ByteRange(begin, footer.tail().offset() - begin);
  }

  @Test
  void ofEachColumnThePageThatTheFilterLeavesIsWanted() throws Exception {
    List<ByteRange> found = ranges();
    long whole = bytes(withoutIndexes()) - footer.tail().length();
    long indexes = found.stream().filter(r -> r.offset() >= indexes().offset()).count();
    assertThat(indexes).as("the footer, one column index, two offset indexes").isEqualTo(4);
    assertThat(found).hasSize(4 + 2).contains(footer.tail());
    assertThat(bytes(found.stream().filter(r -> r.offset() < indexes().offset()).toList()))
        .isLessThanOrEqualTo(whole / 10);
  }

  @Test
  void whenTheIndexesCannotBeDecodedWholeColumnsAreWanted() throws Exception {
    for (byte damage : new byte[] {0, -1}) {
      var bytes = new byte[(int) indexes().length()];
      Arrays.fill(bytes, damage);
      try (var out = new RandomAccessFile(file.toFile(), "rw")) {
        out.seek(indexes().offset());
        out.write(bytes);
      }
      assertThat(ranges()).as("bytes %s", damage).isEqualTo(withoutIndexes());
    }
  }

  @Test
  void whenTheIndexesCannotBeReadWholeColumnsAreWanted() throws Exception {
    try (var out = new RandomAccessFile(file.toFile(), "rw")) {
      out.setLength(indexes().offset() + 1);
    }
    assertThat(ranges()).isEqualTo(withoutIndexes());
    Files.delete(file);
    assertThat(ranges()).isEqualTo(withoutIndexes());
  }
}
