package io.eley.scheduler.hooks.job;

import java.util.List;
import java.util.stream.Stream;

/**
 * What Slurm is asked for, beside the sizes.
 *
 * @param both options for both components
 * @param spark options for the component of Spark alone, such as a partition or a constraint
 * @param buffer options for that of the buffer alone; with one component they are not used
 * @param requeue whether a job that was preempted, or has lost a host, begins again
 */
public record SlurmRequest(
    List<String> both, List<String> spark, List<String> buffer, boolean requeue) {
  public SlurmRequest {
    both = List.copyOf(both);
    spark = List.copyOf(spark);
    buffer = List.copyOf(buffer);
    Stream.of(both, spark, buffer)
        .flatMap(List::stream)
        .filter(option -> !option.startsWith("-") || option.contains("\n"))
        .findFirst()
        .ifPresent(
            option -> {
              throw new IllegalArgumentException("not an option of sbatch: " + option);
            });
  }

  /** The same options for both components, and no second beginning. */
  public static SlurmRequest of(List<String> both) {
    return new SlurmRequest(both, List.of(), List.of(), false);
  }

  Stream<String> sparks() {
    return Stream.concat(both.stream(), spark.stream());
  }

  Stream<String> buffers() {
    return Stream.concat(both.stream(), buffer.stream());
  }

  /**
   * Without being asked, no job is begun anew: after a host was lost, an application finds half of
   * its own output. The output of one that is goes on where it was.
   */
  List<String> whetherAgain() {
    return requeue ? List.of("--requeue", "--open-mode=append") : List.of("--no-requeue");
  }

  /** Whether one submission makes a job for each of several numbers. */
  public boolean isArray() {
    return both.stream().anyMatch(option -> option.matches("(--array|-a)\\b.*"));
  }
}
