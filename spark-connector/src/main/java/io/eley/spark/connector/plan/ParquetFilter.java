package io.eley.spark.connector.plan;

import java.util.List;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.filter2.predicate.LogicalInverseRewriter;
import org.apache.parquet.filter2.statisticslevel.StatisticsFilter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.schema.MessageType;
import org.apache.spark.sql.catalyst.util.RebaseDateTime;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFilters;
import org.apache.spark.sql.internal.LegacyBehaviorPolicy;
import org.apache.spark.sql.sources.Filter;
import scala.Option;

/**
 * Which row groups filters leave, by the smallest and largest values in the footer. Spark's own
 * class translates them and Parquet's own applies them, as in tasks; the session is taken to have
 * Spark's defaults. A wrong guess costs a read on demand, never a row.
 */
final class ParquetFilter {
  /** {@code spark.sql.parquet.pushdown.inFilterThreshold}. */
  private static final int IN_THRESHOLD = 10;

  private ParquetFilter() {}

  static List<BlockMetaData> kept(ParquetMetadata metadata, List<Filter> filters) {
    List<BlockMetaData> kept = metadata.getBlocks();
    MessageType schema = metadata.getFileMetaData().getSchema();
    for (Filter filter : filters) {
      Option<FilterPredicate> predicate = translator(schema).createFilter(filter);
      if (predicate.isDefined()) {
        FilterPredicate plain = LogicalInverseRewriter.rewrite(predicate.get());
        kept = kept.stream().filter(g -> !StatisticsFilter.canDrop(plain, g.getColumns())).toList();
      }
    }
    return kept;
  }

  private static ParquetFilters translator(MessageType schema) {
    var dates = new RebaseDateTime.RebaseSpec(LegacyBehaviorPolicy.CORRECTED(), Option.empty());
    return new ParquetFilters(schema, true, true, true, true, IN_THRESHOLD, false, dates);
  }
}
