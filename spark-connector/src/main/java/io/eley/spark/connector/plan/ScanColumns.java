package io.eley.spark.connector.plan;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.execution.datasources.FileScanRDD;
import org.apache.spark.sql.execution.datasources.v2.DataSourceRDD;
import org.apache.spark.sql.execution.datasources.v2.orc.OrcPartitionReaderFactory;
import org.apache.spark.sql.execution.datasources.v2.parquet.ParquetPartitionReaderFactory;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** What a scan of SQL takes of its files, when they are columnar. Safe for several threads. */
final class ScanColumns {
  /** Wraps formats that read rows: text, CSV, JSON, Avro. */
  private static final String ROWS = "org.apache.spark.sql.execution.datasources.FileFormat$";

  private static final String FIELD_ID = "parquet.field.id";

  /** An aggregate that footers answer needs no column. */
  private static final ScanColumns ONLY_FOOTERS =
      new ScanColumns(new StructType(), List.of(), false);

  private final StructType schema;
  private final List<Filter> filters;
  private final boolean withPartition;
  private volatile @Nullable Boolean byFieldId;

  /**
   * A scan.
   *
   * @param schema the columns, nested ones pruned
   * @param filters what the rows must satisfy, all of them, as far as the format may use it
   * @param withPartition whether the last ones are those of the partition, which come from the
   *     names of directories
   */
  ScanColumns(StructType schema, List<Filter> filters, boolean withPartition) {
    this.schema = schema;
    this.filters = List.copyOf(filters);
    this.withPartition = withPartition;
  }

  StructType schema() {
    return schema;
  }

  List<Filter> filters() {
    return filters;
  }

  /** Whether there are columns that Parquet has a number for. */
  boolean byFieldId() {
    Boolean known = byFieldId;
    if (known == null) {
      known = schema.json().contains(FIELD_ID); // of all its depths
      byFieldId = known;
    }
    return known;
  }

  /** What the leaf takes of its files, or empty when it reads them row by row, or nobody knows. */
  static Optional<ScanColumns> of(RDD<?> leaf) {
    if (leaf instanceof FileScanRDD scan) {
      Object reader = scan.org$apache$spark$sql$execution$datasources$FileScanRDD$$readFunction;
      return reader.getClass().getName().startsWith(ROWS)
          ? Optional.empty()
          : Optional.of(new ScanColumns(scan.readSchema(), ScanFilters.of(reader), true));
    }
    return leaf instanceof DataSourceRDD scan
        ? ReaderFactory.of(scan).flatMap(ScanColumns::of)
        : Optional.empty();
  }

  private static Optional<ScanColumns> of(PartitionReaderFactory factory) {
    if (factory instanceof ParquetPartitionReaderFactory parquet) {
      return Optional.of(
          parquet.aggregation().isDefined()
              ? ONLY_FOOTERS
              : new ScanColumns(parquet.readDataSchema(), List.of(parquet.filters()), false));
    }
    if (factory instanceof OrcPartitionReaderFactory orc) {
      return Optional.of(
          orc.aggregation().isDefined()
              ? ONLY_FOOTERS
              : new ScanColumns(orc.readDataSchema(), List.of(orc.filters()), false));
    }
    return Optional.empty();
  }

  /** The columns that are in the file, of which the partition has so many more. */
  ScanColumns inFile(int partitionColumns) {
    if (!withPartition || partitionColumns == 0) {
      return this;
    }
    int kept = Math.max(0, schema.fields().length - partitionColumns);
    return new ScanColumns(new StructType(Arrays.copyOf(schema.fields(), kept)), filters, false);
  }
}
