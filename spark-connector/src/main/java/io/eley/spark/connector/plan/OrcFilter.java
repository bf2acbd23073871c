package io.eley.spark.connector.plan;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.ql.io.sarg.PredicateLeaf;
import org.apache.hadoop.hive.ql.io.sarg.SearchArgument;
import org.apache.hadoop.hive.ql.io.sarg.SearchArgument.TruthValue;
import org.apache.orc.StripeStatistics;
import org.apache.orc.TypeDescription;
import org.apache.orc.impl.RecordReaderImpl;
import org.apache.spark.sql.execution.datasources.orc.OrcUtils;
import org.apache.spark.sql.sources.Filter;
import scala.Option;

/**
 * Which stripes filters leave, by the smallest and largest values in the tail. Spark's own class
 * translates them and ORC's own applies them, as in tasks. These apply them to the stripe's index
 * and read that of a stripe without such rows, too, but nothing of its data. A wrong guess costs a
 * read on demand, never a row.
 */
final class OrcFilter {
  private OrcFilter() {}

  /** What all filters that ORC understands ask for together; empty when there is none. */
  static Optional<SearchArgument> argument(TypeDescription file, List<Filter> filters) {
    if (filters.isEmpty()) {
      return Optional.empty();
    }
    Option<SearchArgument> argument =
        ScalaMethods.orcFilter(OrcUtils.toCatalystSchema(file), filters);
    return argument.isDefined() ? Optional.of(argument.get()) : Optional.empty();
  }

  /** Whether a stripe may have rows that the filter wants. */
  static boolean mayMatch(SearchArgument filter, TypeDescription file, StripeStatistics stripe) {
    var leaves =
        filter.getLeaves().stream()
            .map(leaf -> evaluate(leaf, file, stripe))
            .toArray(TruthValue[]::new);
    return filter.evaluate(leaves).isNeeded();
  }

  private static TruthValue evaluate(
      PredicateLeaf leaf, TypeDescription file, StripeStatistics stripe) {
    int column = column(leaf.getColumnName(), file);
    var statistics = stripe.getColumnStatistics();
    return column < 0 || column >= statistics.length
        ? TruthValue.YES_NO_NULL
        : RecordReaderImpl.evaluatePredicate(statistics[column], leaf, null);
  }

  /** The column's id, or -1 when the file has none of this name: that filter drops nothing. */
  private static int column(String name, TypeDescription file) {
    try {
      return file.findSubtype(name, false).getId();
    } catch (IllegalArgumentException e) {
      return -1;
    }
  }
}
