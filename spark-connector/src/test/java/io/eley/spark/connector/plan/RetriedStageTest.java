package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.Split;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.IntStream;
import org.apache.spark.JobArtifactSet$;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.scheduler.ActiveJob;
import org.apache.spark.scheduler.JobListener;
import org.apache.spark.scheduler.ResultStage;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.util.CallSite;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction2;

/** A result stage that Spark tries again when some of its tasks have ended. */
@Tag("spark")
@Timeout(120)
class RetriedStageTest {
  /** As Spark numbers none here: no job runs. */
  private static final int ID = 100;

  @TempDir private Path temp;

  @Test
  void onlyWhatHasNoResultYetIsPlannedAgain() throws Exception {
    Path text = Files.writeString(temp.resolve("text"), "0123456789\n".repeat(1000));
    var conf = new SparkConf().setMaster("local[1]").setAppName("tried again");
    conf.set("spark.ui.enabled", "false").set("spark.driver.bindAddress", "127.0.0.1");
    try (var spark = new JavaSparkContext(conf)) {
      RDD<String> rdd = spark.textFile(text.toString(), 10).rdd();
      int[] partitions = {9, 8, 7, 6, 5, 4, 3, 2};
      var stage = stage(rdd, partitions);
      for (int result : new int[] {0, 2, 3, 5, 7}) {
        stage.activeJob().get().finished()[result] = true;
      }
      assertThat(planned(spark, stage, 3)).extracting(Split::partition).containsExactly(3, 5, 8);
      assertThat(planned(spark, stage, 8))
          .as("when all are to be made")
          .extracting(Split::partition)
          .containsExactlyElementsOf(IntStream.rangeClosed(2, 9).boxed().toList());
      stage.removeActiveJob();
      assertThat(planned(spark, stage, 3)).as("when the job is over").isEmpty();
    }
  }

  private static List<Split> planned(JavaSparkContext spark, ResultStage stage, int tasks)
      throws Exception {
    var recorded = new Recorded(spark.sc());
    spark.sc().dagScheduler().stageIdToStage().put(ID, stage);
    stage.makeNewStageAttempt(tasks, none());
    spark
        .sc()
        .listenerBus()
        .post(new SparkListenerStageSubmitted(stage.latestInfo(), new Properties()));
    return recorded.stages().values().stream().flatMap(List::stream).toList();
  }

  private static ResultStage stage(RDD<String> rdd, int[] partitions) {
    var nothing =
        new AbstractFunction2<TaskContext, Iterator<Object>, Object>() {
          @Override
          public Object apply(TaskContext context, Iterator<Object> records) {
            return 0;
          }
        };
    var site = CallSite.empty();
    var stage = new ResultStage(ID, rdd, nothing, partitions, none(), ID, site, 0);
    var nobody =
        new JobListener() {
          @Override
          public void taskSucceeded(int index, Object result) {}

          @Override
          public void jobFailed(Exception exception) {}
        };
    stage.setActiveJob(
        new ActiveJob(
            ID,
            stage,
            site,
            nobody,
            JobArtifactSet$.MODULE$.emptyJobArtifactSet(),
            new Properties()));
    return stage;
  }

  private static <T> scala.collection.immutable.List<T> none() {
    return scala.collection.immutable.List$.MODULE$.empty();
  }
}
