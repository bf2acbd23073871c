package io.eley.spark.connector.plan;

import io.eley.bb.api.ByteRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a Parquet file's columns are. A task reads the tail and, of each row group whose middle
 * lies in its split, the chunks of the columns that it wants; with filters the pages that they
 * leave, and the indexes by which it finds these.
 *
 * @param conf with which page indexes are read, when there are filters
 */
record ParquetFooter(Path file, Configuration conf, ParquetMetadata metadata, ByteRange tail)
    implements Footer {
  private static final Logger LOG = LoggerFactory.getLogger(ParquetFooter.class);

  /** Blocks when there are filters: then the file's page indexes are read. */
  @Override
  public Optional<List<ByteRange>> ranges(ScanColumns scan, ByteRange split) {
    var ranges = new ArrayList<ByteRange>();
    ranges.add(tail);
    if (scan.schema().fields().length > 0) {
      Set<ColumnPath> wanted = ParquetColumns.leaves(metadata.getFileMetaData().getSchema(), scan);
      var filter = ParquetFilter.predicate(metadata, scan.filters());
      List<BlockMetaData> groups =
          metadata.getBlocks().stream()
              .filter(group -> isRead(group, split))
              .filter(group -> filter.isEmpty() || ParquetFilter.mayMatch(filter.get(), group))
              .toList();
      if (filter.isEmpty() || !addPages(groups, wanted, filter.get(), ranges)) {
        groups.forEach(group -> addChunks(group, wanted, ranges));
      }
    }
    return Optional.of(ranges);
  }

  private static boolean isRead(BlockMetaData group, ByteRange split) {
    long middle = group.getStartingPos() + group.getCompressedSize() / 2;
    return middle >= split.offset() && middle < split.end();
  }

  private static void addChunks(BlockMetaData group, Set<ColumnPath> wanted, List<ByteRange> into) {
    for (ColumnChunkMetaData chunk : group.getColumns()) {
      if (wanted.contains(chunk.getPath())) {
        into.add(new ByteRange(chunk.getStartingPos(), chunk.getTotalSize()));
      }
    }
  }

  /**
   * Adds the pages that a filter leaves.
   *
   * @return whether they are known; else nothing is added
   */
  @SuppressWarnings("deprecation") // Spark 3.5's Parquet has no other way with a footer
  private boolean addPages(
      List<BlockMetaData> groups,
      Set<ColumnPath> wanted,
      FilterPredicate filter,
      List<ByteRange> into) {
    if (groups.isEmpty() || !groups.stream().allMatch(ParquetPages::indexed)) {
      return groups.isEmpty();
    }
    var found = new ArrayList<ByteRange>();
    try (var reader = ParquetFileReader.open(conf, file, metadata)) {
      for (BlockMetaData group : groups) {
        found.addAll(ParquetPages.kept(reader, group, wanted, filter));
      }
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.debug("the page indexes of {} cannot be read", file, e);
      return false;
    }
    return into.addAll(found) || found.isEmpty();
  }

  @Override
  public long weight() {
    long chunks = metadata.getBlocks().stream().mapToLong(b -> b.getColumns().size()).sum();
    return Footer.weight(chunks, tail);
  }
}
