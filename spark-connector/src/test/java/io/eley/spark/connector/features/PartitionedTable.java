package io.eley.spark.connector.features;

import java.util.Arrays;
import org.apache.spark.Partition;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.SparkSession;

/**
 * Writes a table of more directories than Spark lists on the driver, and says of how many of a
 * scan's tasks a host is preferred. A program; arguments: the URI of a directory for it, and how
 * many directories.
 */
public final class PartitionedTable {
  private PartitionedTable() {}

  public static void main(String[] args) {
    SparkSession spark = SparkSession.builder().getOrCreate();
    int directories = Integer.parseInt(args[1]);
    spark
        .range(directories * 10L)
        .selectExpr("id", "id % " + directories + " as k")
        .write()
        .partitionBy("k")
        .parquet(args[0]);
    RDD<?> rows = spark.read().parquet(args[0]).javaRDD().rdd();
    Partition[] tasks = rows.partitions();
    long preferring =
        Arrays.stream(tasks)
            .filter(task -> !spark.sparkContext().getPreferredLocs(rows, task.index()).isEmpty())
            .count();
    spark.stop();
    System.out.printf(
        "ELEY_RESULT {\"workload\":\"table\",\"digest\":\"%d of %d\",\"tasks\":[]}%n",
        preferring, tasks.length);
    System.out.flush();
  }
}
