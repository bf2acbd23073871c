package io.eley.scheduler.hooks.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whose the time from submission to the first task was, as a job's script says it at its end: its
 * function, run by bash on marks of our own. The moments are seconds after submission.
 */
@Timeout(60)
class StartSharesTest {
  /** 24 November 2026, 00:00:00 UTC. */
  private static final long SUBMITTED = 1_795_478_400L;

  @TempDir private Path temp;
  private final Map<String, Double> marks = new LinkedHashMap<>();

  @BeforeEach
  void marksOfAnOrdinaryStart() {
    marks.put("checked", 2.5);
    marks.put("asked", 2.75);
    marks.put("coordinator-step", 3.0);
    marks.put("coordinator", 4.0);
    marks.put("node-step-0", 3.25);
    marks.put("node-step-1", 3.5);
    marks.put("nodes", 5.0);
    marks.put("master", 6.25);
    marks.put("workers", 6.5);
    marks.put("command", 6.75);
  }

  /** What the function says of a script that began 2 s after submission. */
  private String said(String sparkLog) throws Exception {
    return said(sparkLog, "echo 2026-11-24T00:00:00; echo 2026-11-24T00:00:00");
  }

  /** The same where squeue does this. */
  private String said(String sparkLog, String squeue) throws Exception {
    for (var mark : marks.entrySet()) {
      Files.writeString(temp.resolve(mark.getKey()), at(mark.getValue()) + "\n");
    }
    Files.writeString(temp.resolve("spark.log"), sparkLog);
    String script =
        """
        export TZ=UTC MARKS=%1$s SLURM_JOB_ID=42
        script=%2$s logged=1 spark_log=%1$s/spark.log
        say() { echo "$*"; }
        squeue() { %3$s; }
        %4$s
        say_start
        """
            .formatted(temp, at(2), squeue, function());
    Process bash = new ProcessBuilder("bash", "-uc", script).redirectErrorStream(true).start();
    String text = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return text;
  }

  private static String at(double seconds) {
    return String.format(Locale.ROOT, "%.3f", SUBMITTED + seconds);
  }

  private static String function() throws IOException {
    String all = ShellScript.template("spark-with-buffer.sh");
    int from = all.indexOf("say_start() {");
    return all.substring(from, all.indexOf("\n}\n", from) + 3);
  }

  /**
   * 2 + 0.5 + 0.25 of Slurm; 0.25 + 1 + 1 + 0.25 of Eley; 1.5 for master and workers, 5.75 from
   * then on.
   */
  @Test
  void eachMomentIsThatOfWhatWasWaitedFor() throws Exception {
    assertThat(
            said(
                """
                26/11/23 23:59:00.000 INFO TaskSetManager: Starting task 0.0 in stage 0.0 (TID 0)
                26/11/24 00:00:11.000 INFO SparkContext: Running Spark version 4.2.0
                26/11/24 00:00:12.500 INFO TaskSetManager: Starting task 0.0 in stage 0.0 (TID 0)
                26/11/24 00:00:14.500 INFO TaskSetManager: Starting task 1.0 in stage 0.0 (TID 1)
                """))
        .isEqualTo(
            "12.5 s from submission to the first task: Slurm 2.8 s, Eley 2.5 s, Spark 7.2 s\n");
  }

  @Test
  void aMasterWithWorkersThatIsThereBeforeTheNodesTakesNoTime() throws Exception {
    marks.put("master", 4.5);
    marks.put("workers", 4.75);
    marks.put("command", 5.25);
    assertThat(said("of a run before a requeue\n"))
        .as("a command without Spark, too")
        .isEqualTo("5.2 s from submission to your command: Slurm 2.8 s, Eley 2.5 s, Spark 0.0 s\n");
  }

  @Test
  void withoutAnAnswerOfSlurmTheTimeIsCountedFromTheScript() throws Exception {
    assertThat(said("", "false"))
        .isEqualTo(
            "4.8 s from this script to your command: Slurm 0.8 s, Eley 2.5 s, Spark 1.5 s\n");
  }

  @Test
  void stepsThatSlurmStartsLateAreSlurms() throws Exception {
    marks.put("node-step-1", 4.75);
    assertThat(said("")).contains("Slurm 3.5 s, Eley 1.8 s, Spark 1.5 s");
  }
}
