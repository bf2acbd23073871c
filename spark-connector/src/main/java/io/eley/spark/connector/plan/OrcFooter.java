package io.eley.spark.connector.plan;

import io.eley.bb.api.ByteRange;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.apache.orc.TypeDescription;

/**
 * Where an ORC file's columns are. A task reads the tail and, of each stripe that begins in its
 * split, the footer and the streams of the columns that it wants.
 */
record OrcFooter(TypeDescription schema, List<Stripe> stripes, ByteRange tail) implements Footer {
  OrcFooter {
    stripes = List.copyOf(stripes);
  }

  /**
   * A stripe.
   *
   * @param offset its first byte
   */
  record Stripe(long offset, List<Stream> streams, ByteRange footer) {
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
      for (Stripe stripe : stripes) {
        if (stripe.offset >= split.offset() && stripe.offset < split.end()) {
          ranges.add(stripe.footer);
          addStreams(stripe, wanted.get(), !scan.filters().isEmpty(), ranges);
        }
      }
    }
    return Optional.of(ranges);
  }

  private static void addStreams(
      Stripe stripe, BitSet wanted, boolean indexes, List<ByteRange> into) {
    for (Stream stream : stripe.streams) {
      if ((indexes || !stream.index) && wanted.get(stream.column)) {
        into.add(stream.range);
      }
    }
  }

  @Override
  public int weight() {
    return 1 + stripes.stream().mapToInt(s -> s.streams.size()).sum();
  }
}
