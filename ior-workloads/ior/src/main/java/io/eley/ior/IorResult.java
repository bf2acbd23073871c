package io.eley.ior;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What a run reports, ours or the real one's, whatever the format.
 *
 * @param phases in the order in which they ran
 * @param summaries one an operation; CSV has none
 * @param warnings IOR's own, without their prefix
 * @param settings what the output says of the options, by IOR's name for each; may be empty
 * @param details what only some outputs have
 */
public record IorResult(
    List<Phase> phases,
    List<Summary> summaries,
    List<Warning> warnings,
    Settings settings,
    Details details) {
  public IorResult {
    phases = List.copyOf(phases);
    summaries = List.copyOf(summaries);
    warnings = List.copyOf(warnings);
  }

  /** An output's own options. */
  public record Settings(Map<String, String> values) {
    public static final Settings NONE = new Settings(Map.of());

    public Settings {
      values = Map.copyOf(values);
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
   * @param iteration from zero; in JSON, which has none, counted by operation
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
   * @param rates of all phases
   * @param meanSeconds mean of {@code total}
   * @param tasks how many
   * @param aggregateMebibytes moved in a phase
   * @param stonewall with {@code -D} and wear-out only
   */
  public record Summary(
      String operation,
      Rates rates,
      double meanSeconds,
      int tasks,
      double aggregateMebibytes,
      Stonewall stonewall) {}

  /**
   * MiB/s.
   *
   * @param max of the fastest phase
   * @param min of the slowest
   * @param mean over phases
   * @param deviation population standard deviation, as IOR computes it
   */
  public record Rates(double max, double min, double mean, double deviation) {}

  /**
   * When the stonewall was hit.
   *
   * @param seconds since the phase's first transfer
   * @param mebibytes moved by then, as IOR reports it
   */
  public record Stonewall(OptionalDouble seconds, OptionalDouble mebibytes) {
    public static final Stonewall NONE =
        new Stonewall(OptionalDouble.empty(), OptionalDouble.empty());
  }

  /**
   * A warning.
   *
   * @param phase index of the phase that it is about
   * @param text one line
   */
  public record Warning(int phase, String text) {}

  /**
   * What only some outputs have: text and JSON with {@code -v}, and the two CSV files of details.
   *
   * @param removals of the files after repetitions
   * @param stamps times of day, in the order of the output
   * @param ranks the CSV per rank
   * @param transfers the CSV per operation
   */
  public record Details(
      List<Removal> removals, List<Stamp> stamps, List<RankTime> ranks, List<Transfer> transfers) {
    public static final Details NONE = new Details(List.of(), List.of(), List.of(), List.of());

    public Details {
      removals = List.copyOf(removals);
      stamps = List.copyOf(stamps);
      ranks = List.copyOf(ranks);
      transfers = List.copyOf(transfers);
    }
  }

  /** Removal of the files after a repetition. */
  public record Removal(double seconds, int iteration) {}

  /**
   * When one task did something.
   *
   * @param operation {@code write} or {@code read}
   * @param event {@code open start}, {@code open stop}, {@code start}, {@code stop}, {@code close
   *     start}, {@code close stop}
   * @param epochMicros time of day
   */
  public record Stamp(int iteration, int task, String operation, String event, long epochMicros) {}

  /**
   * One rank in one phase.
   *
   * @param secondsWithOpenClose open to close
   * @param seconds transfers alone
   * @param iteration counted from zero in the order of the output
   */
  public record RankTime(
      String operation, int rank, double secondsWithOpenClose, double seconds, int iteration) {}

  /**
   * One read or write of a rank.
   *
   * @param start seconds since the first
   * @param seconds its duration
   * @param bytesPerSecond as IOR reports it
   */
  public record Transfer(double start, double seconds, double bytesPerSecond) {}

  /**
   * A phase in times of day.
   *
   * @param beginMicros first task's opening
   * @param endMicros last task's closing
   */
  public record Interval(String operation, int iteration, long beginMicros, long endMicros) {
    private Interval with(Stamp stamp) {
      return new Interval(
          operation,
          iteration,
          Math.min(beginMicros, stamp.epochMicros()),
          Math.max(endMicros, stamp.epochMicros()));
    }
  }

  /** Phases in times of day, in the order of the output; empty without {@code -vvv}. */
  public List<Interval> intervals() {
    var byPhase = new LinkedHashMap<String, Interval>();
    for (Stamp s : details.stamps()) {
      byPhase.merge(
          s.iteration() + s.operation(),
          new Interval(s.operation(), s.iteration(), s.epochMicros(), s.epochMicros()),
          (known, unused) -> known.with(s));
    }
    return new ArrayList<>(byPhase.values());
  }
}
