package io.eley.spark.connector.plan;

import java.util.Arrays;
import java.util.Optional;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.execution.datasources.FileScanRDD;
import org.apache.spark.sql.execution.datasources.v2.DataSourceRDD;
import org.apache.spark.sql.execution.datasources.v2.orc.OrcPartitionReaderFactory;
import org.apache.spark.sql.execution.datasources.v2.parquet.ParquetPartitionReaderFactory;
import org.apache.spark.sql.types.StructType;

/**
 * What a scan of SQL takes of its files, when they are columnar.
 *
 * @param schema the columns, nested ones pruned
 * @param withPartition whether the last ones are those of the partition, which come from the names
 *     of directories
 */
record ScanColumns(StructType schema, boolean withPartition) {
  /** Wraps formats that read rows: text, CSV, JSON, Avro. */
  private static final String ROWS = "org.apache.spark.sql.execution.datasources.FileFormat$";

  /** What the leaf takes of its files, or empty when it reads them row by row, or nobody knows. */
  static Optional<ScanColumns> of(RDD<?> leaf) {
    if (leaf instanceof FileScanRDD scan) {
      Object reader = scan.org$apache$spark$sql$execution$datasources$FileScanRDD$$readFunction;
      return reader.getClass().getName().startsWith(ROWS)
          ? Optional.empty()
          : Optional.of(new ScanColumns(scan.readSchema(), true));
    }
    return leaf instanceof DataSourceRDD scan
        ? ReaderFactory.of(scan).flatMap(ScanColumns::of)
        : Optional.empty();
  }

  private static Optional<ScanColumns> of(PartitionReaderFactory factory) {
    if (factory instanceof ParquetPartitionReaderFactory parquet) {
      return Optional.of(scan(parquet.readDataSchema(), parquet.aggregation().isDefined()));
    }
    if (factory instanceof OrcPartitionReaderFactory orc) {
      return Optional.of(scan(orc.readDataSchema(), orc.aggregation().isDefined()));
    }
    return Optional.empty();
  }

  /** An aggregate that footers answer needs no column. */
  private static ScanColumns scan(StructType schema, boolean fromFooters) {
    return new ScanColumns(fromFooters ? new StructType() : schema, false);
  }

  /** The columns that are in the file, of which the partition has so many more. */
  ScanColumns inFile(int partitionColumns) {
    if (!withPartition || partitionColumns == 0) {
      return this;
    }
    int kept = Math.max(0, schema.fields().length - partitionColumns);
    return new ScanColumns(new StructType(Arrays.copyOf(schema.fields(), kept)), false);
  }
}
