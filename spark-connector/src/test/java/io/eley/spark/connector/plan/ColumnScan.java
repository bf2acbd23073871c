package io.eley.spark.connector.plan;

import io.eley.bb.api.ByteRange;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.Split;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One query: what was planned for its tasks, and what they read.
 *
 * @param query its name, with the format and Spark's interface
 * @param answer what it has computed
 * @param files how many files its tasks read
 * @param planned bytes that are named by the plan
 * @param read bytes that tasks read
 * @param unplanned bytes that tasks read and that no page of the plan has
 */
record ColumnScan(String query, String answer, int files, long planned, long read, long unplanned) {
  private static final int PAGE = 16 << 10;

  static ColumnScan of(
      String query, String answer, List<Split> plan, Map<String, List<ByteRange>> read) {
    var planned = new TreeMap<String, List<ByteRange>>();
    for (Split split : plan) {
      for (FileSlice slice : split.slices()) {
        planned.computeIfAbsent(slice.path(), p -> new ArrayList<>()).add(slice.range());
      }
    }
    long unplanned = 0;
    for (var file : read.entrySet()) {
      BitSet bytes = bytes(file.getValue(), 1);
      bytes.andNot(bytes(planned.getOrDefault(file.getKey(), List.of()), PAGE));
      unplanned += bytes.cardinality();
    }
    return new ColumnScan(query, answer, read.size(), count(planned), count(read), unplanned);
  }

  static long count(Map<String, List<ByteRange>> files) {
    return files.values().stream().mapToLong(ranges -> bytes(ranges, 1).cardinality()).sum();
  }

  private static BitSet bytes(List<ByteRange> ranges, int page) {
    var bytes = new BitSet();
    for (ByteRange range : ranges) {
      int first = (int) (range.offset() / page * page);
      bytes.set(first, (int) ((range.end() + page - 1) / page * page));
    }
    return bytes;
  }

  /** Whether the plan names little more than what was read, as a neighbour sees it. */
  boolean isFrugal() {
    return planned <= 1.05 * read + files * (64L << 10);
  }

  String line() {
    return String.join(
        "|",
        "scan",
        query,
        answer,
        String.valueOf(files),
        String.valueOf(planned),
        String.valueOf(read),
        String.valueOf(unplanned));
  }
}
