package io.eley.workloads;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.process.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One application on a cluster, submitted in client mode by Spark's own SparkSubmit as a process;
 * or one that has no cluster and computes in that process.
 *
 * <p>What it prints goes to {@code driver.out}, its log to {@code driver.log}, both in the
 * directory given; its settings are in {@code submit.conf} there, mode 0600. A thread reads the
 * output and reports progress as it comes.
 */
public final class SparkSubmission implements AutoCloseable {
  /** Is notified of how many of the map phase's tasks have ended; runs on the reading thread. */
  @FunctionalInterface
  public interface Progress {
    void tasks(int done, int total);
  }

  private record Done(int done, int total) {}

  /** The process that an application is submitted in, and Spark's settings before its own. */
  private record Driver(
      LinkedSparkHome home,
      List<String> entry,
      JavaCommand java,
      Map<String, String> conf,
      Path localDirectory) {}

  private static final String HOST = "127.0.0.1";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final SparkApplication application;
  private final LoggedProcess driver;
  private final CompletableFuture<WorkloadResult> result = new CompletableFuture<>();
  private final long deadlineNanos;

  private SparkSubmission(SparkApplication application, LoggedProcess driver) {
    this.application = application;
    this.driver = driver;
    this.deadlineNanos = System.nanoTime() + application.deadline().toNanos();
  }

  /**
   * Submits an application; does not wait for it.
   *
   * @param directory for its output and log; made when it does not exist
   * @throws EleyException {@code UNAVAILABLE} when the process cannot be started
   */
  public static SparkSubmission start(
      SparkCluster cluster, SparkApplication application, Path directory, Progress progress)
      throws EleyException {
    var driver =
        new Driver(
            cluster.home(),
            cluster.driverEntry(),
            cluster.home().java("768m", application.driverClassPath()),
            cluster.applicationConf(),
            cluster.localDirectory());
    return start(driver, application, directory, progress);
  }

  /**
   * Runs an application without a cluster, all of it in one JVM. On its way out, which takes some
   * seconds more, the first such JVM archives Spark's classes in the home, so that clusters started
   * from it afterwards are there sooner. An archive that cannot be written costs only that.
   *
   * @param slots tasks that run at once
   * @param heap of that JVM
   * @param directory for its output, log and shuffle files; made when it does not exist
   * @throws EleyException {@code UNAVAILABLE} when the process cannot be started
   */
  public static SparkSubmission startLocal(
      LinkedSparkHome home,
      int slots,
      DataSize heap,
      SparkApplication application,
      Path directory,
      Progress progress)
      throws EleyException {
    var java = home.archivingJava(heap.toString());
    return start(local(home, java, slots, directory), application, directory, progress);
  }

  /**
   * The same for an application that computes for some seconds and is not run again and again: with
   * one compiler, and with no archive but one that is there.
   */
  public static SparkSubmission startLocalOnce(
      LinkedSparkHome home,
      int slots,
      DataSize heap,
      SparkApplication application,
      Path directory,
      Progress progress)
      throws EleyException {
    var java = home.java(heap.toString(), List.of());
    return start(local(home, java, slots, directory), application, directory, progress);
  }

  private static Driver local(LinkedSparkHome home, JavaCommand java, int slots, Path directory) {
    var conf =
        Map.of(
            "spark.master",
            "local[" + slots + "]",
            "spark.driver.host",
            HOST,
            "spark.driver.bindAddress",
            HOST,
            "spark.ui.enabled",
            "false");
    return new Driver(home, List.of(), java, conf, directory.resolve("local"));
  }

  private static SparkSubmission start(
      Driver how, SparkApplication application, Path directory, Progress progress)
      throws EleyException {
    try {
      Files.createDirectories(directory);
      var conf = new HashMap<>(how.conf());
      conf.putAll(application.conf());
      Path confFile = directory.resolve("submit.conf");
      PropertiesFile.write(confFile, conf);

      var arguments = new ArrayList<String>();
      arguments.addAll(List.of("--properties-file", confFile.toString()));
      arguments.addAll(List.of("--class", application.mainClass(), application.jar().toString()));
      arguments.addAll(application.arguments());
      var command = new ArrayList<>(how.entry());
      command.addAll(how.java().run("org.apache.spark.deploy.SparkSubmit", arguments));
      var environment = how.home().environment(HOST, how.localDirectory(), directory);
      var driver =
          LoggedProcess.startPiped(
              application.mainClass(), command, environment, directory.resolve("driver.log"));
      var submission = new SparkSubmission(application, driver);
      submission.readOutput(directory.resolve("driver.out"), progress);
      return submission;
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "cannot submit " + application.mainClass() + ": " + e, e);
    }
  }

  /**
   * Waits for the end of the application.
   *
   * @throws EleyException {@code INTERNAL} when it failed, with the last lines of its log; {@code
   *     DEADLINE} when it took too long, and it has been ended
   */
  public WorkloadResult await() throws EleyException {
    try {
      var answer = result.get(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
      boolean ended =
          driver.process().waitFor(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (!ended) {
        throw new TimeoutException();
      }
      return answer;
    } catch (TimeoutException e) {
      String words = driver.lastWords();
      close();
      throw new EleyException(
          ErrorCode.DEADLINE, "not done after " + application.deadline() + ": " + words, e);
    } catch (ExecutionException e) {
      throw new EleyException(
          ErrorCode.INTERNAL, "the Spark application failed: " + driver.lastWords(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      close();
      throw new EleyException(ErrorCode.UNAVAILABLE, "interrupted; the application was ended", e);
    }
  }

  /** The driver's process. */
  public ProcessHandle process() {
    return driver.process().toHandle();
  }

  /** Ends the application when it still runs; its executors end with it. May be repeated. */
  @Override
  public void close() {
    driver.close();
  }

  private void readOutput(Path file, Progress progress) {
    var reader =
        new Thread(
            () -> {
              try (var out = Files.newBufferedWriter(file);
                  var in =
                      new BufferedReader(
                          new InputStreamReader(
                              driver.process().getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                  out.write(line);
                  out.newLine();
                  take(line, progress);
                }
                result.completeExceptionally(new IOException("it ended without a result"));
              } catch (IOException e) {
                result.completeExceptionally(e);
              }
            },
            "spark-submission");
    reader.setDaemon(true);
    reader.start();
  }

  private void take(String line, Progress progress) throws JsonProcessingException {
    if (line.startsWith(ResultLines.RESULT)) {
      result.complete(
          JSON.readValue(line.substring(ResultLines.RESULT.length()), WorkloadResult.class));
    } else if (line.startsWith(ResultLines.PROGRESS)) {
      var done = JSON.readValue(line.substring(ResultLines.PROGRESS.length()), Done.class);
      progress.tasks(done.done(), done.total());
    }
  }
}
