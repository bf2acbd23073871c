package io.eley.workloads;

import java.io.IOException;
import java.util.Locale;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * What all workloads have in common: the context, the input as lines in splits of a given size, the
 * clock, and the one line that reports the result. One at a time per JVM, as Spark wants it; for
 * the driver's main thread.
 */
final class WorkloadRun implements AutoCloseable {
  private final String name;
  private final WorkloadArguments arguments;
  private final JavaSparkContext context;
  private final JavaRDD<String> lines;
  private final MapPhaseListener mapPhase;
  private long beginNanos;
  private long beginMillis;

  private WorkloadRun(String name, WorkloadArguments arguments, JavaSparkContext context) {
    this.name = name;
    this.arguments = arguments;
    this.context = context;
    startClock();
    var input = textFiles(arguments.input());
    mapPhase = new MapPhaseListener(input.id());
    context.sc().addSparkListener(mapPhase);
    int millis = arguments.computeMillis();
    lines = millis == 0 ? linesOf(input) : linesOf(input).map(new Computing(millis));
  }

  /** Starts Spark and the clock. */
  static WorkloadRun begin(String name, String... args) {
    var arguments = WorkloadArguments.parse(args);
    return new WorkloadRun(name, arguments, new JavaSparkContext(new SparkConf().setAppName(name)));
  }

  /**
   * Runs a job like the measured one over a small input of its own, if that was asked for, and
   * starts the clock anew. A map phase of seconds is otherwise in good part the JVMs' own warming
   * up, which jobs of a sensible length do not notice.
   *
   * @param job the transformations of the measured job; its elements are counted
   */
  void warmUp(Function<JavaRDD<String>, JavaRDD<?>> job) {
    String input = arguments.warmUpInput();
    if (input != null) {
      job.apply(linesOf(textFiles(input))).count();
    }
    startClock();
    printProgress(0, 0);
  }

  private void startClock() {
    beginNanos = System.nanoTime();
    beginMillis = System.currentTimeMillis();
  }

  private JavaPairRDD<LongWritable, Text> textFiles(String uri) {
    return context.newAPIHadoopFile(
        uri,
        TextInputFormat.class,
        LongWritable.class,
        Text.class,
        splitsOf(context.hadoopConfiguration(), arguments.partitionBytes()));
  }

  /** Hadoop reuses the Text, so it is turned into a string before anything else. */
  private static JavaRDD<String> linesOf(JavaPairRDD<LongWritable, Text> files) {
    return files.values().map(Text::toString);
  }

  WorkloadArguments arguments() {
    return arguments;
  }

  JavaSparkContext context() {
    return context;
  }

  /** The input, one element per line. */
  JavaRDD<String> lines() {
    return lines;
  }

  /** Ends the clock, stops Spark and prints the result. */
  void finish(LineDigest digest) throws IOException {
    double totalSeconds = (System.nanoTime() - beginNanos) / 1e9;
    var path = new Path(arguments.input());
    long inputBytes =
        path.getFileSystem(context.hadoopConfiguration()).getContentSummary(path).getLength();
    // Stopping delivers every event, so that the last task's end is in.
    context.stop();
    System.out.println(ResultLines.RESULT + json(totalSeconds, inputBytes, digest));
    System.out.flush();
  }

  @Override
  public void close() {
    context.stop();
  }

  static void printProgress(int done, int total) {
    System.out.println(ResultLines.PROGRESS + "{\"done\":" + done + ",\"total\":" + total + "}");
  }

  private static Configuration splitsOf(Configuration base, long bytes) {
    var conf = new Configuration(base);
    conf.setLong(FileInputFormat.SPLIT_MINSIZE, bytes);
    conf.setLong(FileInputFormat.SPLIT_MAXSIZE, bytes);
    return conf;
  }

  /** Numbers, and host names without anything to escape. */
  private String json(double totalSeconds, long inputBytes, LineDigest digest) {
    var tasks = new StringBuilder();
    for (var task : mapPhase.tasks()) {
      tasks
          .append(tasks.isEmpty() ? "" : ",")
          .append(
              String.format(
                  Locale.ROOT,
                  "{\"launchMillis\":%d,\"finishMillis\":%d,\"host\":\"%s\"}",
                  task.launchMillis(),
                  task.finishMillis(),
                  task.host()));
    }
    return String.format(
        Locale.ROOT,
        "{\"workload\":\"%s\",\"beginMillis\":%d,\"mapSeconds\":%.3f,\"totalSeconds\":%.3f,\"inputBytes\":%d,"
            + "\"readBytes\":%d,\"digest\":\"%s\",\"mapBeginMillis\":%d,\"mapEndMillis\":%d,"
            + "\"tasks\":[%s]}",
        name,
        beginMillis,
        (mapPhase.endMillis() - mapPhase.beginMillis()) / 1e3,
        totalSeconds,
        inputBytes,
        mapPhase.readBytes(),
        digest,
        mapPhase.beginMillis(),
        mapPhase.endMillis(),
        tasks);
  }
}
