package io.eley.spark.connector.plan;

import io.eley.bb.api.Split;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Queries for some columns of wide and nested tables, on the Spark that this JVM has. A program of
 * its own, too, so that each Spark that is supported runs it.
 */
public final class ColumnScans {
  private static final Map<String, String> QUERIES = new LinkedHashMap<>();

  static {
    QUERIES.put("one column of 50", "select bit_xor(c17) from wide");
    QUERIES.put("two columns, other case", "select max(C3), min(c44) from wide");
    QUERIES.put("a column of a partition", "select part, bit_xor(c5) from wide group by part");
    QUERIES.put("only the partition", "select part, count(*) from wide group by part");
    QUERIES.put("count", "select count(*) from wide");
    QUERIES.put("a field of a struct", "select bit_xor(s.inner.d) from nested");
    QUERIES.put("a field of an array's structs", "select sum(size(list.x)) from nested");
    QUERIES.put("a map", "select sum(size(m)) from nested");
    QUERIES.put("a column that is not there", "select bit_xor(c1), count(gone) from evolved");
    QUERIES.put("a filter that drops nothing", "select bit_xor(c9) from wide where c8 > 5");
    QUERIES.put(
        "a filter on a sorted column", "select bit_xor(w) from sorted where id between 7 and 9");
    QUERIES.put("a filter within a row group", "select sum(v) from paged where id between 7 and 9");
    QUERIES.put("everything", "select bit_xor(xxhash64(*)) from wide");
  }

  private ColumnScans() {}

  /** Prints a line for each query. Arguments: a directory, and the formats. */
  public static void main(String[] args) throws Exception {
    var formats = List.of(args).subList(1, args.length);
    run(Path.of(args[0]), formats).forEach(scan -> System.out.println(scan.line()));
  }

  static List<ColumnScan> run(Path directory, List<String> formats) throws Exception {
    SparkSession spark = start(directory);
    try {
      var scans = new ArrayList<ColumnScan>();
      for (String format : formats) {
        write(spark, directory.resolve(format), format);
        writeSorted(spark, directory.resolve(format), format);
        for (String first : List.of(format, "")) {
          spark.conf().set("spark.sql.sources.useV1SourceList", first);
          String face = format + (first.isEmpty() ? " v2 " : " v1 ");
          open(spark, directory.resolve(format), format);
          for (var query : QUERIES.entrySet()) {
            scans.add(scan(spark, face + query.getKey(), query.getValue()));
          }
        }
      }
      return scans;
    } finally {
      spark.stop();
    }
  }

  private static ColumnScan scan(SparkSession spark, String name, String sql) throws Exception {
    Dataset<Row> query = spark.sql(sql);
    var recorded = new Recorded(spark.sparkContext());
    RecordingFileSystem.take();
    String answer =
        query.collectAsList().stream().map(Row::toString).sorted().collect(Collectors.joining());
    var plan = new ArrayList<Split>();
    recorded.stages().values().forEach(plan::addAll);
    return ColumnScan.of(name, answer, plan, RecordingFileSystem.take());
  }

  private static SparkSession start(Path directory) {
    return SparkSession.builder()
        .master("local[2]")
        .config("spark.app.name", "column scans")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.warehouse.dir", directory.resolve("warehouse").toString())
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.files.maxPartitionBytes", "1500000")
        .config("spark.sql.files.openCostInBytes", "0")
        .config("spark.hadoop.fs.file.impl", RecordingFileSystem.class.getName())
        .config("spark.hadoop.fs.file.impl.disable.cache", "true")
        .getOrCreate();
  }

  private static void write(SparkSession spark, Path directory, String format) {
    String columns =
        IntStream.range(0, 50)
            .mapToObj(i -> "xxhash64(id, " + i + ") as c" + i)
            .collect(Collectors.joining(","));
    save(spark.range(0, 24_000, 1, 2).selectExpr(("id % 2 as part," + columns).split(",(?! )")))
        .partitionBy("part")
        .format(format)
        .save(directory.resolve("wide").toString());
    save(spark
            .range(0, 40_000, 1, 2)
            .selectExpr(
                "named_struct('a', xxhash64(id), 'inner',"
                    + " named_struct('d', xxhash64(id, 1), 'e', xxhash64(id, 2))) as s",
                "array(named_struct('x', xxhash64(id, 3), 'y', xxhash64(id, 4))) as list",
                "map(cast(id as string), xxhash64(id, 5)) as m"))
        .format(format)
        .save(directory.resolve("nested").toString());
  }

  /** Row groups of one page, or stripes of one row group, and of many: a filter leaves one. */
  private static void writeSorted(SparkSession spark, Path directory, String format) {
    save(spark.range(0, 400_000, 1, 2).selectExpr("id", "id * 3 as v", "xxhash64(id) as w"))
        .option("parquet.block.size", 1 << 18)
        .option("orc.stripe.size", 1 << 16)
        .format(format)
        .save(directory.resolve("sorted").toString());
    save(spark.range(0, 400_000, 1, 2).selectExpr("id", "id * 3 as v", "xxhash64(id) as w"))
        .option("parquet.block.size", 8 << 20)
        .option("parquet.page.row.count.limit", 2000)
        .option("parquet.enable.dictionary", "false")
        .format(format)
        .save(directory.resolve("paged").toString());
  }

  /** Several row groups, or stripes, in each file. */
  private static org.apache.spark.sql.DataFrameWriter<Row> save(Dataset<Row> data) {
    return data.write().option("parquet.block.size", 1 << 20).option("orc.stripe.size", 1 << 20);
  }

  private static void open(SparkSession spark, Path directory, String format) {
    for (String table : List.of("wide", "nested", "sorted", "paged")) {
      spark
          .read()
          .format(format)
          .load(directory.resolve(table).toString())
          .createOrReplaceTempView(table);
    }
    spark
        .read()
        .schema("c1 long, gone string, part long")
        .format(format)
        .load(directory.resolve("wide").toString())
        .createOrReplaceTempView("evolved");
  }
}
