package io.eley.workloads;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;

/**
 * An application's result, which it prints in one line at the end.
 *
 * @param workload {@code WordCount} or {@code Sort}
 * @param beginMillis the clock's start, after warming up, milliseconds since the epoch
 * @param mapSeconds first task launch to last task end of the stages that read the input
 * @param totalSeconds from the first look at the input to the last byte of the output, without
 *     Spark's own start
 * @param inputBytes length of the input files
 * @param readBytes what the tasks' metrics say they read; zero when the file system does not count
 * @param digest of the result
 * @param mapBeginMillis first task launch, milliseconds since the epoch
 * @param mapEndMillis last task end, milliseconds since the epoch
 * @param tasks of the map phase, in the order of their ends
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record WorkloadResult(
    String workload,
    long beginMillis,
    double mapSeconds,
    double totalSeconds,
    long inputBytes,
    long readBytes,
    String digest,
    long mapBeginMillis,
    long mapEndMillis,
    List<Task> tasks) {
  public WorkloadResult {
    tasks = List.copyOf(tasks);
  }

  /**
   * One task of the map phase.
   *
   * @param launchMillis milliseconds since the epoch
   * @param finishMillis milliseconds since the epoch
   * @param host of its executor
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Task(long launchMillis, long finishMillis, String host) {}
}
