package io.eley.spark.connector.plan;

import io.eley.bb.api.ByteRange;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.ql.io.sarg.SearchArgument;
import org.apache.orc.StripeStatistics;
import org.apache.orc.TypeDescription;

/**
 * Where an ORC file's columns are. A task reads the tail and, of each stripe that begins in its
 * split, the footer and the streams of the columns that it wants; with filters the indexes of these
 * columns, and of a stripe that has no row for the filters nothing else.
 */
record OrcFooter(TypeDescription schema, List<Stripe> stripes, ByteRange tail) implements Footer {
  OrcFooter {
    stripes = List.copyOf(stripes);
  }

  /**
   * A stripe.
   *
   * @param offset its first byte
   * @param statistics of its columns; empty when the writer has left them out
   */
  record Stripe(
      long offset, List<Stream> streams, ByteRange footer, Optional<StripeStatistics> statistics) {
    Stripe {
      streams = List.copyOf(streams);
    }
  }

  /**
   * A stream of a column.
   *
   * @param column its id in the schema
   * @param index whether it helps to skip rows, and is read for that only
   */
  record Stream(int column, boolean index, ByteRange range) {}

  @Override
  public Optional<List<ByteRange>> ranges(ScanColumns scan, ByteRange split) {
    var ranges = new ArrayList<ByteRange>();
    ranges.add(tail);
    Optional<BitSet> wanted = OrcColumns.ids(schema, scan.schema());
    if (wanted.isPresent()) {
      var filter = OrcFilter.argument(schema, scan.filters());
      for (Stripe stripe : stripes) {
        if (stripe.offset >= split.offset() && stripe.offset < split.end()) {
          ranges.add(stripe.footer);
          boolean rows = filter.isEmpty() || mayMatch(filter.get(), stripe);
          stripe.streams.stream()
              .filter(s -> wanted.get().get(s.column))
              .filter(s -> s.index ? filter.isPresent() : rows)
              .forEach(s -> ranges.add(s.range));
        }
      }
    }
    return Optional.of(ranges);
  }

  private boolean mayMatch(SearchArgument filter, Stripe stripe) {
    return stripe.statistics.isEmpty()
        || OrcFilter.mayMatch(filter, schema, stripe.statistics.get());
  }

  @Override
  public long weight() {
    return Footer.weight(stripes.stream().mapToLong(s -> s.streams.size()).sum(), tail);
  }
}
