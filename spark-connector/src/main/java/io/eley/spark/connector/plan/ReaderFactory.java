package io.eley.spark.connector.plan;

import java.lang.reflect.Field;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.execution.datasources.v2.DataSourceRDD;

/**
 * What reads the partitions of a data source. Spark passes it to the RDD's constructor and has no
 * accessor; the field that keeps it has another name since 4.0, so it is found by its type.
 */
final class ReaderFactory {
  private static final Optional<Field> FIELD =
      Stream.of(DataSourceRDD.class.getDeclaredFields())
          .filter(f -> f.getType() == PartitionReaderFactory.class)
          .findFirst();

  private ReaderFactory() {}

  /** The factory, or empty in a Spark that keeps it elsewhere. */
  static Optional<PartitionReaderFactory> of(DataSourceRDD rdd) {
    if (FIELD.isEmpty() || !FIELD.get().trySetAccessible()) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable((PartitionReaderFactory) FIELD.get().get(rdd));
    } catch (IllegalAccessException e) {
      return Optional.empty();
    }
  }
}
