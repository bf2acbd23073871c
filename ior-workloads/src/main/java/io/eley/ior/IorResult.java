package io.eley.ior;

import java.util.List;
import java.util.OptionalDouble;

/**
 * What a run reports, ours or the real one's, whatever the format.
 *
 * @param phases in the order in which they ran
 * @param summaries one an operation; CSV has none
 * @param warnings IOR's own, without their prefix
 * @param settings what the output says of the options, by IOR's name for each; may be empty
 */
public record IorResult(
    List<Phase> phases, List<Summary> summaries, List<String> warnings, Settings settings) {
  public IorResult {
    phases = List.copyOf(phases);
    summaries = List.copyOf(summaries);
    warnings = List.copyOf(warnings);
  }

  /** An output's own options. */
  public record Settings(java.util.Map<String, String> values) {
    public Settings {
      values = java.util.Map.copyOf(values);
    }
  }

  /**
   * One phase. Sizes in KiB and bandwidth in MiB/s because IOR prints them so.
   *
   * @param operation {@code write} or {@code read}
   * @param mebibytesPerSecond all bytes by {@code total}
   * @param iops transfers by {@code transfer}
   * @param latency seconds, mean of one transfer
   * @param blockKibibytes {@code -b}
   * @param transferKibibytes {@code -t}
   * @param times of the phase
   * @param iteration from zero; JSON has only the order
   */
  public record Phase(
      String operation,
      double mebibytesPerSecond,
      double iops,
      double latency,
      double blockKibibytes,
      double transferKibibytes,
      Times times,
      int iteration) {}

  /**
   * Seconds, each from the first task's start to the last task's end.
   *
   * @param open opening
   * @param transfer reading or writing
   * @param close closing
   * @param total from the first open to the last close
   */
  public record Times(double open, double transfer, double close, double total) {}

  /**
   * All phases of an operation.
   *
   * @param max MiB/s
   * @param min MiB/s
   * @param mean MiB/s
   * @param deviation population standard deviation of MiB/s, as IOR computes it
   * @param meanSeconds mean of {@code total}
   * @param tasks how many
   * @param stonewallSeconds with {@code -D}
   */
  public record Summary(
      String operation,
      double max,
      double min,
      double mean,
      double deviation,
      double meanSeconds,
      int tasks,
      OptionalDouble stonewallSeconds) {}
}
