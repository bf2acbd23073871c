package io.eley.report;

import io.eley.bb.api.BufferMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The raw facts of one run, from which its {@link RunRecord} follows. Times of day come from three
 * processes of the same machine, so they share a clock.
 *
 * @param mode {@link RunRecord#HPC_ALONE} or a mode's label
 * @param workload its label
 * @param trace what the origin recorded
 * @param phases complete ones, in order
 * @param zeroMicros the run's zero, microseconds since the epoch
 * @param endMicros the run's end
 * @param spark what the application did; null when the HPC application was alone
 * @param closedPermits intervals in seconds since zero
 */
public record RunObservation(
    String mode,
    String workload,
    TraceAnalysis trace,
    List<ObservedPhase> phases,
    long zeroMicros,
    long endMicros,
    @Nullable SparkFacts spark,
    List<RunTimeline.Span> closedPermits) {
  /** Width of a bar in the traffic charts. */
  public static final double BIN_SECONDS = 0.1;

  /**
   * What the application did.
   *
   * @param map the map phase, in seconds since zero
   * @param tasks of the map phase, in seconds since zero
   * @param slots tasks that could run at once
   */
  public record SparkFacts(
      RunTimeline.Span map,
      double totalSeconds,
      long inputBytes,
      double hitRatio,
      String digest,
      List<RunTimeline.Task> tasks,
      int slots) {
    public SparkFacts {
      tasks = List.copyOf(tasks);
    }
  }

  public RunObservation {
    phases = List.copyOf(phases);
    closedPermits = List.copyOf(closedPermits);
  }

  /** Mean length of the phases; of the run alone it is what the others are held against. */
  public OptionalDouble meanPhaseSeconds() {
    return phases.stream().mapToDouble(ObservedPhase::seconds).average();
  }

  /**
   * The median length of each application's phases: what medians are held against, so that one slow
   * phase alone does not hide what Spark does to the others.
   */
  public Map<String, Double> medianPhaseSecondsByApplication() {
    var lengths = new HashMap<String, List<Double>>();
    for (var phase : phases) {
      lengths.computeIfAbsent(phase.application(), a -> new ArrayList<>()).add(phase.seconds());
    }
    var medians = new HashMap<String, Double>();
    lengths.forEach((application, seconds) -> medians.put(application, median(seconds)));
    return medians;
  }

  private static double median(List<Double> seconds) {
    return Objects.requireNonNull(SeriesRow.median(seconds), "an application without a phase");
  }

  /**
   * The record of this run.
   *
   * @param aloneSeconds mean phase of the run alone
   */
  public RunRecord toRecord(double aloneSeconds) {
    return toRecord(application -> aloneSeconds);
  }

  /**
   * The record of this run beside several applications.
   *
   * @param alone median phase of each application alone, seconds
   */
  public RunRecord toRecord(ToDoubleFunction<String> alone) {
    var records = new ArrayList<PhaseRecord>();
    var holds = new ArrayList<Double>();
    for (var phase : phases) {
      var record = record(phase, alone.applyAsDouble(phase.application()));
      records.add(record);
      if (record.duringMap() && mode.startsWith(BufferMode.FULL_DELAY.label())) {
        holds.add(trace.holdLatencyMillis(phase));
      }
    }
    var facts = spark;
    return new RunRecord(
        mode,
        workload,
        facts == null ? null : facts.map().length(),
        facts == null ? null : facts.totalSeconds(),
        facts == null ? 0 : facts.inputBytes(),
        facts == null ? null : facts.hitRatio(),
        records,
        holds,
        trace.originBytes(),
        facts == null ? null : facts.digest(),
        timeline(),
        1);
  }

  private PhaseRecord record(ObservedPhase phase, double aloneSeconds) {
    double start = (phase.beginMicros() - zeroMicros) / 1e6;
    var span = new RunTimeline.Span(start, start + phase.seconds());
    var facts = spark;
    boolean during = facts == null || facts.map().overlap(span) >= 0.5 * span.length();
    return new PhaseRecord(
        start,
        phase.seconds(),
        aloneSeconds,
        trace.ourBytes(phase),
        trace.lateBytes(phase),
        during,
        phase.application());
  }

  private RunTimeline timeline() {
    double seconds = (endMicros - zeroMicros) / 1e6;
    var facts = spark;
    var tasks =
        facts == null
            ? List.<RunTimeline.Task>of()
            : RunTimeline.numbered(facts.tasks(), facts.slots());
    return new RunTimeline(
        zeroMicros / 1000,
        seconds,
        facts == null ? List.of() : List.of(facts.map()),
        tasks,
        RunTimeline.waves(tasks),
        BIN_SECONDS,
        trace.ourTraffic(zeroMicros, seconds, BIN_SECONDS),
        trace.hpcTraffic(zeroMicros, seconds, BIN_SECONDS),
        closedPermits);
  }
}
