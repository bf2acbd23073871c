package io.eley.scheduler.hooks.job;

import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.error.EleyException;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of a user's jobs, which {@code deploy/slurm} names as here: a directory for each job
 * while it runs, and what stays of it. Reads the file system, whose errors are as if nothing were
 * there.
 *
 * @param directory shared by all hosts, the user's alone
 */
record JobFiles(Path directory) {
  /** Beside a deployment: when which of a job's steps was so far. */
  static final Path MARKS = Path.of("logs", "marks");

  /** Beside a deployment: what {@code buffer-for-job.sh} alone writes, since nobody reads it. */
  static final Path SCRIPT_LOG = Path.of("logs", "script.log");

  private static final int PATIENCE_MILLIS = 3_000;

  private static final Pattern OF_A_JOB =
      Pattern.compile(
          "(\\d{1,18})|ledger-(\\d{1,18})\\.csv|spark-(\\d{1,18})\\.log|summary-(\\d{1,18})\\.txt");

  /** Where a job's processes find each other. */
  Path deployment(long job) {
    return ofJob(job).resolve("deployment");
  }

  /** What its processes write. */
  Path logs(long job) {
    return ofJob(job).resolve("logs");
  }

  /** The phases that a job has met, once it is over. */
  Path ledger(long job) {
    return directory.resolve("ledger-" + job + ".csv");
  }

  /** What it read, and what it met, once it is over. */
  Path summary(long job) {
    return directory.resolve("summary-" + job + ".txt");
  }

  /** What Spark's driver has logged. */
  private Path sparkLog(long job) {
    return directory.resolve("spark-" + job + ".log");
  }

  private Path ofJob(long job) {
    return directory.resolve(Long.toString(job));
  }

  /** Whether a job's script has run here. */
  boolean knows(long job) {
    return Files.isDirectory(ofJob(job))
        || Files.exists(ledger(job))
        || Files.exists(summary(job))
        || Files.exists(sparkLog(job));
  }

  /** Whether a job's coordinator can be asked, unless it was killed. */
  boolean answers(long job) {
    return Files.exists(new DeploymentFiles(deployment(job)).coordinatorAddress());
  }

  /** Whether its address takes no connections, for which it has some seconds. */
  boolean isSilent(long job) {
    try (var socket = new Socket()) {
      socket.connect(ClientOptions.Deployment.in(deployment(job)).address(), PATIENCE_MILLIS);
      return false;
    } catch (EleyException e) {
      return false; // It makes no sense, or may not be read: whoever connects says so.
    } catch (IOException e) {
      return true;
    }
  }

  /** What is left of a job that is over, by name. */
  List<String> left(long job) {
    var left = new ArrayList<String>();
    if (Files.exists(summary(job))) {
      left.add("summary");
    }
    if (Files.exists(ledger(job))) {
      left.add("ledger");
    }
    if (Files.exists(sparkLog(job))) {
      left.add("Spark's log");
    }
    if (Files.isDirectory(logs(job))) {
      left.add("logs in " + ofJob(job));
    }
    return left;
  }

  /** Numbers of the jobs that have files here, the latest first. */
  List<Long> jobs() {
    var jobs = new TreeSet<Long>();
    try (Stream<Path> files = Files.list(directory)) {
      files
          .map(file -> OF_A_JOB.matcher(file.getFileName().toString()))
          .filter(Matcher::matches)
          .flatMap(of -> Stream.of(1, 2, 3, 4).flatMap(group -> Stream.ofNullable(of.group(group))))
          .forEach(number -> jobs.add(Long.parseLong(number)));
    } catch (IOException e) {
      return List.of(); // nobody has submitted anything yet
    }
    return List.copyOf(jobs.descendingSet());
  }
}
