package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ByteRange;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.wire.PlanMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every way in which Spark reads files, on a real Spark in this JVM: what is planned is what the
 * tasks read, before they do.
 */
@Tag("spark")
@Timeout(120)
class SplitWalkTest {
  private static final int LINES = 4000;
  private static final int LINE_BYTES = 32;
  private static final long FILE_BYTES = (long) LINES * LINE_BYTES;
  private static final String SPLIT = "40000";

  @TempDir private static Path temp;
  private static SparkSession session;
  private static JavaSparkContext spark;
  private static Path text;
  private static Path other;
  private static Path parquet;

  @BeforeAll
  static void startSpark() throws Exception {
    session =
        SparkSession.builder()
            .master("local[2]")
            .appName("split walk")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.warehouse.dir", temp.resolve("warehouse").toString())
            .config("spark.sql.shuffle.partitions", "3")
            .config("spark.sql.files.maxPartitionBytes", SPLIT)
            .config("spark.sql.files.openCostInBytes", "0")
            .config("spark.sql.autoBroadcastJoinThreshold", "-1")
            .config("spark.hadoop.mapreduce.input.fileinputformat.split.maxsize", SPLIT)
            .config("spark.hadoop.fs.file.impl", RecordingFileSystem.class.getName())
            .config("spark.hadoop.fs.file.impl.disable.cache", "true")
            .getOrCreate();
    spark = JavaSparkContext.fromSparkContext(session.sparkContext());
    text = lines("text", "a", "b");
    other = lines("other", "c");
    parquet = temp.resolve("table");
    session
        .range(0, 200_000, 1, 2)
        .selectExpr("id", "cast(id as string) as name")
        .write()
        .mode(SaveMode.Overwrite)
        .parquet(parquet.toString());
  }

  @AfterAll
  static void stopSpark() {
    session.stop();
  }

  @AfterEach
  void readByTheFirstInterface() {
    session.conf().unset("spark.sql.sources.useV1SourceList");
  }

  @Test
  void textFileUnderMapAndFilter() throws Exception {
    assertPlanned(
        spark.textFile(text.toString(), 6).filter(l -> !l.isEmpty()).map(String::length), text);
  }

  @Test
  void newApiHadoopFile() throws Exception {
    assertPlanned(
        spark
            .newAPIHadoopFile(
                text.toString(),
                TextInputFormat.class,
                LongWritable.class,
                Text.class,
                spark.hadoopConfiguration())
            .map(pair -> pair._2().getLength()),
        text);
  }

  @Test
  void unionKeepsTheOrderOfItsParents() throws Exception {
    var union = spark.textFile(text.toString(), 4).union(spark.textFile(other.toString(), 2));
    List<Split> splits = assertPlanned(union, text, other);
    var directories =
        splits.stream().map(split -> Path.of(split.slices().get(0).path()).getParent()).toList();
    int first = directories.indexOf(other);
    assertThat(directories.subList(0, first)).containsOnly(text);
    assertThat(directories.subList(first, directories.size())).containsOnly(other);
  }

  @Test
  void coalesceGivesOneTaskSeveralSplits() throws Exception {
    List<Split> splits = assertPlanned(spark.textFile(text.toString(), 8).coalesce(3), text);
    assertThat(splits).hasSize(3).allMatch(s -> s.slices().size() >= 2);
  }

  @Test
  void wholeTextFilesAreCombined() throws Exception {
    assertPlanned(spark.wholeTextFiles(text.toString(), 1).map(pair -> pair._2().length()), text);
  }

  @Test
  void aShuffleSeparatesWhoReads() throws Exception {
    var recorded = new Recorded(spark.sc());
    spark
        .textFile(text.toString(), 4)
        .mapToPair(l -> new scala.Tuple2<>(l.charAt(0), 1))
        .reduceByKey(Integer::sum)
        .collect();
    var stages = recorded.stages();
    assertThat(stages).hasSize(1);
    assertCovered(stages.values().iterator().next(), text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text,parquet", ""})
  void sqlTextByBothInterfaces(String firstInterface) throws Exception {
    session.conf().set("spark.sql.sources.useV1SourceList", firstInterface);
    List<Split> splits = assertPlanned(session.read().textFile(text.toString()).toDF(), text);
    assertThat(splits.size()).isGreaterThan(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text,parquet", ""})
  void anAdaptiveJoinPlansEachInputOnce(String firstInterface) throws Exception {
    session.conf().set("spark.sql.sources.useV1SourceList", firstInterface);
    var left = session.read().parquet(parquet.toString());
    var right = session.read().text(text.toString()).selectExpr("substring(value, 1, 4) as name");
    var recorded = new Recorded(spark.sc());
    left.join(right, "name").collectAsList();
    var stages = recorded.stages();
    assertThat(stages).hasSize(2);
    var ofText = stages.values().stream().filter(splits -> namesFileOf(splits, text)).toList();
    var ofParquet =
        stages.values().stream().filter(splits -> namesFileOf(splits, parquet)).toList();
    assertThat(ofText).hasSize(1);
    assertThat(ofParquet).hasSize(1).isNotEqualTo(ofText);
    assertCovered(ofText.get(0), text);
    for (Path file : dataFiles(parquet)) {
      assertThat(ofParquet.get(0)).anyMatch(split -> namesTheEndOf(split, file));
    }
    stages.forEach((id, splits) -> assertThat(recorded.tasksOf(id)).isEqualTo(splits.size()));
  }

  @Test
  void whatSparkHoldsInMemoryIsNotPlannedAgain() throws Exception {
    JavaRDD<Integer> cached =
        spark
            .textFile(text.toString(), 6)
            .map(String::length)
            .persist(StorageLevel.MEMORY_AND_DISK());
    assertPlanned(cached, text);
    var second = new Recorded(spark.sc());
    cached.count();
    assertThat(second.stages()).isEmpty();
    cached.unpersist(true);
    assertPlanned(cached, text);
  }

  @Test
  void whatIsMadeOfWhatSparkHoldsIsNotPlannedEither() throws Exception {
    JavaRDD<String> cached = spark.textFile(text.toString(), 6).persist(StorageLevel.MEMORY_ONLY());
    cached.count();
    var second = new Recorded(spark.sc());
    cached.map(String::length).filter(length -> length > 3).count();
    assertThat(second.stages()).isEmpty();
    cached.unpersist(true);
  }

  @Test
  void ofWhatSparkHeldOnlyLostPartitionsArePlannedAgain() throws Exception {
    JavaRDD<String> cached = spark.textFile(text.toString(), 6).persist(StorageLevel.MEMORY_ONLY());
    cached.count();
    var blocks = SparkEnv.get().blockManager();
    blocks.removeBlock(new RDDBlockId(cached.id(), 2), true);
    blocks.removeBlock(new RDDBlockId(cached.id(), 4), true);
    var recorded = new Recorded(spark.sc());
    cached.count();
    assertThat(only(recorded))
        .filteredOn(split -> !split.slices().isEmpty())
        .extracting(Split::partition)
        .containsExactly(2, 4);
    cached.unpersist(true);
  }

  @Test
  void ofAShuffleOnlyLostOutputsArePlannedAgain() throws Exception {
    var counts =
        spark
            .textFile(text.toString(), 6)
            .mapToPair(l -> new scala.Tuple2<>(l.charAt(0), 1))
            .reduceByKey(Integer::sum, 2);
    counts.collect();
    var shuffle = (ShuffleDependency<?, ?, ?>) counts.rdd().dependencies().head();
    var outputs = (MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker();
    outputs.unregisterMapOutput(
        shuffle.shuffleId(), 3, SparkEnv.get().blockManager().shuffleServerId());
    var recorded = new Recorded(spark.sc());
    counts.collect();
    assertThat(only(recorded)).extracting(Split::partition).containsExactly(3);
  }

  @Test
  void bothInputsOfAStageArePlannedForEachTask() throws Exception {
    var left = spark.textFile(text.toString(), 4);
    var right = spark.textFile(text.toString(), 4);
    var recorded = new Recorded(spark.sc());
    left.zip(right).count();
    assertThat(only(recorded))
        .hasSize(left.getNumPartitions())
        .allSatisfy(
            split -> {
              assertThat(split.slices()).hasSize(2);
              assertThat(split.slices().get(0)).isEqualTo(split.slices().get(1));
            });
  }

  /** As GraphX and Pregel make them, 2^30 ways lead to each partition of the file. */
  @Test
  void whatManyWaysLeadToIsPlannedOnce() throws Exception {
    JavaRDD<String> all = spark.textFile(text.toString(), 2);
    var steps = new ArrayList<JavaRDD<String>>();
    for (int i = 0; i < 30; i++) {
      all = all.zip(all.map(line -> line)).map(pair -> pair._1()).cache();
      steps.add(all);
    }
    assertThat(assertPlanned(all, text)).allSatisfy(split -> assertThat(split.slices()).hasSize(1));
    steps.forEach(step -> step.unpersist(true));
  }

  @ParameterizedTest
  @ValueSource(strings = {"text,parquet", ""})
  void aBroadcastSideIsPlannedAsAStageOfItsOwn(String firstInterface) throws Exception {
    session.conf().set("spark.sql.sources.useV1SourceList", firstInterface);
    var large = session.read().text(text.toString()).selectExpr("substring(value, 1, 4) as name");
    var small = session.read().text(other.toString()).selectExpr("substring(value, 1, 4) as name");
    var recorded = new Recorded(spark.sc());
    large.join(functions.broadcast(small), "name").collectAsList();
    var stages = recorded.stages();
    assertThat(stages).hasSize(2);
    assertThat(stages.values()).filteredOn(splits -> namesFileOf(splits, text)).hasSize(1);
    assertThat(stages.values()).filteredOn(splits -> namesFileOf(splits, other)).hasSize(1);
    stages.forEach((id, splits) -> assertThat(recorded.tasksOf(id)).isEqualTo(splits.size()));
  }

  @Test
  void partitionsThatAJobLeavesOutAreNotPlanned() throws Exception {
    var lines = spark.textFile(text.toString(), 6);
    var recorded = new Recorded(spark.sc());
    lines.take(1);
    List<Split> splits = only(recorded);
    assertThat(splits).extracting(Split::partition).containsExactly(0);
  }

  @Test
  void aJobThatReadsNothingIsNotPlanned() throws Exception {
    var recorded = new Recorded(spark.sc());
    spark.parallelize(List.of(1, 2, 3), 3).count();
    assertThat(recorded.messages()).isEmpty();
  }

  @Test
  void eachTaskAndTheStageAreSaidToHaveEnded() throws Exception {
    var recorded = new Recorded(spark.sc());
    long tasks =
        spark.textFile(text.toString(), 5).mapPartitions(l -> List.of(1).iterator()).count();
    var messages = recorded.messages();
    var ended =
        messages.stream()
            .filter(PlanMessage.TasksEnded.class::isInstance)
            .flatMap(m -> ((PlanMessage.TasksEnded) m).partitions().stream())
            .toList();
    assertThat(ended)
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, (int) tasks).boxed().toList());
    assertThat(messages.get(0)).isInstanceOf(PlanMessage.PlanStage.class);
    assertThat(messages.get(messages.size() - 1)).isInstanceOf(PlanMessage.StageEnded.class);
  }

  /**
   * A schema of a thousand columns for each of 100,000 files would be most of the driver's heap.
   */
  @ParameterizedTest
  @ValueSource(strings = {"text,parquet", ""})
  void allFilesOfAScanShareItsColumns(String firstInterface) throws Exception {
    session.conf().set("spark.sql.sources.useV1SourceList", firstInterface);
    String table = temp.resolve("partitioned").toString();
    session
        .range(0, 100_000, 1, 2)
        .selectExpr("id", "cast(id as string) as name", "id % 5 as k")
        .write()
        .mode(SaveMode.Overwrite)
        .partitionBy("k")
        .parquet(table);
    RDD<?> rows = session.read().parquet(table).queryExecution().toRdd();
    int tasks = rows.getNumPartitions();
    List<ScanColumns> scans =
        new SplitWalk(rdd -> new BitSet(), path -> Optional.of(path.toUri().getPath()))
            .inputs(rows, IntStream.range(0, tasks).toArray()).stream()
                .flatMap(input -> input.parts().stream())
                .map(part -> part.columns().orElseThrow().scan())
                .toList();
    assertThat(scans).hasSizeGreaterThanOrEqualTo(10).containsOnly(scans.get(0));
    assertThat(scans.get(0).schema().fieldNames()).containsExactly("id", "name");
  }

  private static List<Split> assertPlanned(JavaRDD<?> rdd, Path... inputs) throws Exception {
    var recorded = new Recorded(spark.sc());
    rdd.count();
    return assertOneStage(recorded, inputs);
  }

  private static List<Split> assertPlanned(Dataset<Row> data, Path... inputs) throws Exception {
    var recorded = new Recorded(spark.sc());
    data.collectAsList();
    return assertOneStage(recorded, inputs);
  }

  private static List<Split> assertOneStage(Recorded recorded, Path... inputs) throws Exception {
    Map<StageId, List<Split>> stages = recorded.stages();
    assertThat(stages).hasSize(1);
    var stage = stages.entrySet().iterator().next();
    assertThat(stage.getValue())
        .extracting(Split::partition)
        .containsExactlyElementsOf(
            IntStream.range(0, recorded.tasksOf(stage.getKey())).boxed().toList());
    assertCovered(stage.getValue(), inputs);
    return stage.getValue();
  }

  private static List<Split> only(Recorded recorded) throws Exception {
    var stages = recorded.stages();
    assertThat(stages).hasSize(1);
    return stages.values().iterator().next();
  }

  /** Every byte of every input file is in exactly one slice. */
  private static void assertCovered(List<Split> splits, Path... inputs) throws IOException {
    Map<String, List<ByteRange>> ranges =
        splits.stream()
            .flatMap(s -> s.slices().stream())
            .collect(
                Collectors.groupingBy(
                    FileSlice::path,
                    TreeMap::new,
                    Collectors.mapping(FileSlice::range, Collectors.toList())));
    var expected = new ArrayList<String>();
    for (Path input : inputs) {
      for (Path file : dataFiles(input)) {
        expected.add(file.toString());
        long at = 0;
        var sorted = new ArrayList<>(ranges.getOrDefault(file.toString(), List.of()));
        sorted.sort(Comparator.comparingLong(ByteRange::offset));
        for (ByteRange range : sorted) {
          assertThat(range.offset()).as(file.toString()).isEqualTo(at);
          at = range.end();
        }
        assertThat(at).as(file.toString()).isEqualTo(Files.size(file));
      }
    }
    assertThat(ranges.keySet()).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static boolean namesFileOf(List<Split> splits, Path directory) {
    return splits.stream()
        .flatMap(split -> split.slices().stream())
        .anyMatch(slice -> Path.of(slice.path()).startsWith(directory));
  }

  private static boolean namesTheEndOf(Split split, Path file) {
    return split.slices().stream()
        .filter(slice -> slice.path().equals(file.toString()))
        .anyMatch(slice -> slice.range().end() == file.toFile().length());
  }

  private static List<Path> dataFiles(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(f -> !f.getFileName().toString().matches("[._].*")).sorted().toList();
    }
  }

  private static Path lines(String directory, String... files) throws IOException {
    Path made = Files.createDirectory(temp.resolve(directory));
    for (String file : files) {
      String all =
          IntStream.range(0, LINES)
              .mapToObj(
                  i -> String.format(java.util.Locale.ROOT, "%-" + (LINE_BYTES - 1) + "d%n", i))
              .collect(Collectors.joining());
      Files.writeString(made.resolve(file), all);
      assertThat(Files.size(made.resolve(file))).isEqualTo(FILE_BYTES);
    }
    return made;
  }
}
