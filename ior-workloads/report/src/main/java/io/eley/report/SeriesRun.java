package io.eley.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/**
 * One run of a series.
 *
 * @param repetition from 1
 * @param directory with its raw data, relative to the report
 * @param record what was observed; its mode is the name of the system
 * @param ledger what the deployment's ledger says; empty without a deployment
 */
public record SeriesRun(
    int repetition, String directory, RunRecord record, List<LedgerPhase> ledger) {
  /** Phases of an application that are early ones: forecasts and baselines are being learned. */
  private static final int EARLY = 3;

  public SeriesRun {
    ledger = List.copyOf(ledger);
  }

  /** Per cent by which phases in the map phase took longer than alone. */
  @JsonIgnore
  public List<Double> slowdowns() {
    return record.countedPhases().stream().map(p -> 100 * p.slowdown()).toList();
  }

  /**
   * The same of each application's first three phases, or of those after.
   *
   * @param early whether of the first ones
   */
  List<Double> slowdowns(boolean early) {
    var seen = new HashMap<String, Integer>();
    var found = new ArrayList<Double>();
    for (var phase : record.phases()) {
      boolean first = seen.merge(phase.application(), 1, Integer::sum) <= EARLY;
      if (first == early && phase.duringMap()) {
        found.add(100 * phase.slowdown());
      }
    }
    return found;
  }

  /**
   * For each phase in the map phase the milliseconds from its begin until a node's prefetch permit
   * was seen closed: 0 when it was closed before, the whole phase when it never was.
   */
  @JsonIgnore
  public List<Double> heldAfterMillis() {
    return record.countedPhases().stream().map(this::heldAfter).toList();
  }

  private double heldAfter(PhaseRecord phase) {
    double begin = phase.startSeconds();
    double end = begin + phase.seconds();
    return record.timeline().closedPermits().stream()
        .filter(closed -> closed.end() > begin && closed.start() < end)
        .mapToDouble(closed -> 1000 * Math.max(0, closed.start() - begin))
        .min()
        .orElse(1000 * phase.seconds());
  }
}
