package io.eley.report;

import io.eley.emulated.pfs.PfsEvent;
import io.eley.emulated.pfs.PfsOperation;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Answers questions about one run from the record of the emulated PFS, which neither Eley nor the
 * HPC application can embellish. Everything that is not the HPC application is ours: nodes, and
 * Spark's own readers.
 *
 * <p>A grant is dated at the moment its bytes were through, so a read that was under way when a
 * phase began counts as read inside the phase, with all of its bytes.
 */
public final class TraceAnalysis {
  private static final String READ = PfsOperation.READ.name();

  private final List<PfsEvent> ourReads;
  private final List<PfsEvent> hpc;

  /**
   * @param events of one run, in any order
   * @param isHpc whether a grant is the HPC application's
   */
  public TraceAnalysis(List<PfsEvent> events, Predicate<PfsEvent> isHpc) {
    var byTime = Comparator.comparingLong(PfsEvent::epochMicros);
    hpc = events.stream().filter(isHpc).sorted(byTime).toList();
    ourReads =
        events.stream()
            .filter(isHpc.negate())
            .filter(e -> e.operation().equals(READ))
            .sorted(byTime)
            .toList();
  }

  /** Bytes we read inside the phase. */
  public long ourBytes(ObservedPhase phase) {
    return readBetween(phase.beginMicros(), phase.endMicros());
  }

  /** Bytes we read inside the phase after the permits were to be closed. */
  public long lateBytes(ObservedPhase phase) {
    return readBetween(phase.closedMicros(), phase.endMicros());
  }

  /** Phase start to our last origin byte inside the phase, in milliseconds; zero without one. */
  public double holdLatencyMillis(ObservedPhase phase) {
    return ourReads.stream()
        .mapToLong(PfsEvent::epochMicros)
        .filter(at -> at > phase.beginMicros() && at <= phase.endMicros())
        .max()
        .stream()
        .mapToDouble(last -> (last - phase.beginMicros()) / 1e3)
        .findFirst()
        .orElse(0);
  }

  /** All bytes we read, by cause. */
  public Map<String, Long> originBytes() {
    var sum = new TreeMap<String, Long>();
    ourReads.forEach(e -> sum.merge(e.cause(), (long) e.bytes(), Long::sum));
    return sum;
  }

  /** Our traffic over the run, by cause. */
  Map<String, List<Long>> ourTraffic(long zeroMicros, double seconds, double binSeconds) {
    var bins = new TreeMap<String, RunTimeline.Bins>();
    for (var event : ourReads) {
      bins.computeIfAbsent(event.cause(), c -> new RunTimeline.Bins(binSeconds, seconds))
          .add((event.epochMicros() - zeroMicros) / 1e6, event.bytes());
    }
    var series = new TreeMap<String, List<Long>>();
    bins.forEach((cause, counted) -> series.put(cause, counted.toList()));
    return series;
  }

  /** The HPC application's traffic over the run. */
  List<Long> hpcTraffic(long zeroMicros, double seconds, double binSeconds) {
    var bins = new RunTimeline.Bins(binSeconds, seconds);
    hpc.forEach(e -> bins.add((e.epochMicros() - zeroMicros) / 1e6, e.bytes()));
    return bins.toList();
  }

  private long readBetween(long afterMicros, long untilMicros) {
    return ourReads.stream()
        .filter(e -> e.epochMicros() > afterMicros && e.epochMicros() <= untilMicros)
        .mapToLong(PfsEvent::bytes)
        .sum();
  }
}
