package io.eley.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One run: one mode, one workload, a cold buffer.
 *
 * @param mode {@link #HPC_ALONE}, or the label of a {@link io.eley.bb.api.BufferMode}
 * @param workload for example {@code WordCount}
 * @param mapSeconds first task's launch to last task's end of the map phase; null without Spark
 * @param totalSeconds of the application; null without Spark
 * @param inputBytes what the application was given to read; zero without Spark
 * @param hitRatio part of the bytes that tasks read which was in the buffer's RAM when it was asked
 *     for, 0 to 1; null without Spark
 * @param phases the complete ones, in order
 * @param holdLatencyMillis for each phase of a FullDelay run that fell into the map phase: phase
 *     start to our last origin byte inside the phase, zero when there was none; empty otherwise
 * @param origin bytes that we read from the origin, by the name of their {@link
 *     io.eley.bb.api.ReadCause}, as the origin recorded them
 * @param digest of the result; null without Spark
 * @param timeline what happened when
 * @param repetition from 1
 */
public record RunRecord(
    String mode,
    String workload,
    @Nullable Double mapSeconds,
    @Nullable Double totalSeconds,
    long inputBytes,
    @Nullable Double hitRatio,
    List<PhaseRecord> phases,
    List<Double> holdLatencyMillis,
    Map<String, Long> origin,
    @Nullable String digest,
    RunTimeline timeline,
    int repetition) {
  /** The mode of a run in which the HPC application has the origin to itself. */
  public static final String HPC_ALONE = "HPCAlone";

  public RunRecord {
    phases = List.copyOf(phases);
    holdLatencyMillis = List.copyOf(holdLatencyMillis);
    origin = Map.copyOf(origin);
    // Reports of before there were repetitions have none here.
    repetition = Math.max(1, repetition);
  }

  /** The same run as one of several. */
  public RunRecord withRepetition(int other) {
    return new RunRecord(
        mode,
        workload,
        mapSeconds,
        totalSeconds,
        inputBytes,
        hitRatio,
        phases,
        holdLatencyMillis,
        origin,
        digest,
        timeline,
        other);
  }

  /** The phases that count: those of which at least half fell into the map phase. */
  @JsonIgnore
  public List<PhaseRecord> countedPhases() {
    return phases.stream().filter(PhaseRecord::duringMap).toList();
  }
}
