package io.eley.spark.connector.plan;

import io.eley.bb.api.ByteRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.internal.hadoop.metadata.IndexReference;
import org.jspecify.annotations.Nullable;

/**
 * Where a Parquet file's columns are. A task reads the tail and, of each row group whose middle
 * lies in its split, the chunks of the columns that it wants; with filters their indexes, too.
 */
record ParquetFooter(ParquetMetadata metadata, ByteRange tail) implements Footer {
  @Override
  public Optional<List<ByteRange>> ranges(ScanColumns scan, ByteRange split) {
    var ranges = new ArrayList<ByteRange>();
    ranges.add(tail);
    if (scan.schema().fields().length > 0) {
      Set<ColumnPath> wanted =
          ParquetColumns.leaves(metadata.getFileMetaData().getSchema(), scan.schema());
      boolean filtered = !scan.filters().isEmpty();
      for (BlockMetaData group : ParquetFilter.kept(metadata, scan.filters())) {
        if (isRead(group, split)) {
          addChunks(group, wanted, filtered, ranges);
        }
      }
    }
    return Optional.of(ranges);
  }

  private static boolean isRead(BlockMetaData group, ByteRange split) {
    long middle = group.getStartingPos() + group.getCompressedSize() / 2;
    return middle >= split.offset() && middle < split.end();
  }

  private static void addChunks(
      BlockMetaData group, Set<ColumnPath> wanted, boolean filtered, List<ByteRange> into) {
    for (ColumnChunkMetaData chunk : group.getColumns()) {
      if (wanted.contains(chunk.getPath())) {
        into.add(new ByteRange(chunk.getStartingPos(), chunk.getTotalSize()));
        if (filtered) {
          addIndex(chunk.getColumnIndexReference(), into);
          addIndex(chunk.getOffsetIndexReference(), into);
        }
      }
    }
  }

  private static void addIndex(@Nullable IndexReference index, List<ByteRange> into) {
    if (index != null) {
      into.add(new ByteRange(index.getOffset(), index.getLength()));
    }
  }

  @Override
  public int weight() {
    return 1 + metadata.getBlocks().stream().mapToInt(b -> b.getColumns().size()).sum();
  }
}
