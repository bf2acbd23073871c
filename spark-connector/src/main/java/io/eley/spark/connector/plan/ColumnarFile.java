package io.eley.spark.connector.plan;

import org.apache.hadoop.fs.Path;

/**
 * One version of a file, as Spark has listed it.
 *
 * @param path as Spark opens it
 * @param length bytes, more than zero
 * @param modified milliseconds since 1970
 */
record ColumnarFile(Path path, long length, long modified) {}
