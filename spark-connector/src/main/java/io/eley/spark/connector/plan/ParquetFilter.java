package io.eley.spark.connector.plan;

import java.util.List;
import java.util.Optional;
import org.apache.parquet.filter2.predicate.FilterApi;
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

  /** What all filters that Parquet understands ask for together; empty when there is none. */
  static Optional<FilterPredicate> predicate(ParquetMetadata metadata, List<Filter> filters) {
    MessageType schema = metadata.getFileMetaData().getSchema();
    return filters.stream()
        .map(filter -> translator(schema).createFilter(filter))
        .filter(Option::isDefined)
        .map(Option::get)
        .reduce(FilterApi::and)
        .map(LogicalInverseRewriter::rewrite);
  }

  /** Whether a row group may have rows that the filter wants. */
  static boolean mayMatch(FilterPredicate filter, BlockMetaData group) {
    return !StatisticsFilter.canDrop(filter, group.getColumns());
  }

  private static ParquetFilters translator(MessageType schema) {
    var dates = new RebaseDateTime.RebaseSpec(LegacyBehaviorPolicy.CORRECTED(), Option.empty());
    return new ParquetFilters(schema, true, true, true, true, IN_THRESHOLD, false, dates);
  }
}
