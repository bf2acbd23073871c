package io.eley.spark.connector.plan;

import io.eley.bb.api.ByteRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.internal.filter2.columnindex.ColumnIndexFilter;
import org.apache.parquet.internal.filter2.columnindex.ColumnIndexStore;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;
import org.apache.parquet.internal.hadoop.metadata.IndexReference;
import org.jspecify.annotations.Nullable;

/**
 * The pages of one row group that a filter leaves, found as tasks find them: by the smallest and
 * largest values of each page, which stand in the file's column indexes. The rule is Parquet's own
 * class; the indexes that it asks for are ranges that tasks read, too.
 *
 * <p>Not safe for several threads; blocks for as long as the file system does.
 *
 * @see <a href="https://parquet.apache.org/docs/file-format/pageindex/">Parquet's page index</a>
 */
final class ParquetPages {
  private final ParquetFileReader reader;
  private final BlockMetaData group;
  private final Map<ColumnPath, ColumnChunkMetaData> chunks = new HashMap<>();
  private final Map<ColumnPath, OffsetIndex> offsets = new HashMap<>();

  /** A filter of two bounds asks for its column twice. */
  private final Map<ColumnPath, ColumnIndex> values = new HashMap<>();

  private final List<ByteRange> ranges = new ArrayList<>();

  private ParquetPages(ParquetFileReader reader, BlockMetaData group, Set<ColumnPath> wanted) {
    this.reader = reader;
    this.group = group;
    for (ColumnChunkMetaData chunk : group.getColumns()) {
      if (wanted.contains(chunk.getPath())) {
        chunks.put(chunk.getPath(), chunk);
      }
    }
  }

  /** Whether the row group has what is needed here. */
  static boolean indexed(BlockMetaData group) {
    return group.getColumns().stream().allMatch(c -> c.getOffsetIndexReference() != null);
  }

  /**
   * The ranges that a task reads of the row group.
   *
   * @param wanted columns, those of the filter among them
   */
  static List<ByteRange> kept(
      ParquetFileReader reader, BlockMetaData group, Set<ColumnPath> wanted, FilterPredicate filter)
      throws IOException {
    try {
      return new ParquetPages(reader, group, wanted).kept(filter);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private List<ByteRange> kept(FilterPredicate filter) {
    RowRanges rows =
        ColumnIndexFilter.calculateRowRanges(
            FilterCompat.get(filter), new Indexes(), chunks.keySet(), group.getRowCount());
    if (rows.rowCount() == group.getRowCount()) {
      chunks.values().forEach(c -> add(c.getStartingPos(), c.getTotalSize()));
    } else if (rows.rowCount() > 0) {
      chunks.values().forEach(chunk -> addPages(chunk, rows));
    }
    return ranges;
  }

  private void addPages(ColumnChunkMetaData chunk, RowRanges rows) {
    OffsetIndex pages = offsets(chunk.getPath());
    long first = pages.getOffset(0);
    // What stands before the first page is the dictionary.
    add(chunk.getStartingPos(), first - chunk.getStartingPos());
    for (int i = 0; i < pages.getPageCount(); i++) {
      long lastRow = pages.getLastRowIndex(i, group.getRowCount());
      if (rows.isOverlapping(pages.getFirstRowIndex(i), lastRow)) {
        add(pages.getOffset(i), pages.getCompressedPageSize(i));
      }
    }
  }

  private void add(long offset, long length) {
    if (length > 0) {
      ranges.add(new ByteRange(offset, length));
    }
  }

  private OffsetIndex offsets(ColumnPath column) {
    return offsets.computeIfAbsent(
        column,
        c -> {
          ColumnChunkMetaData chunk = chunk(c);
          addIndex(chunk.getOffsetIndexReference());
          try {
            return reader.readOffsetIndex(chunk);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private ColumnChunkMetaData chunk(ColumnPath column) {
    return Optional.ofNullable(chunks.get(column)).orElseThrow();
  }

  private void addIndex(@Nullable IndexReference index) {
    if (index != null) {
      add(index.getOffset(), index.getLength());
    }
  }

  private final class Indexes implements ColumnIndexStore {
    @Override
    public ColumnIndex getColumnIndex(ColumnPath column) {
      return values.computeIfAbsent(
          column,
          c -> {
            ColumnChunkMetaData chunk = chunk(c);
            addIndex(chunk.getColumnIndexReference());
            try {
              return reader.readColumnIndex(chunk);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }

    @Override
    public OffsetIndex getOffsetIndex(ColumnPath column) {
      return offsets(column);
    }
  }
}
