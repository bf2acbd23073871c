package io.eley.cli.render;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.DeploymentReport.Totals;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.prefetcher.control.PhaseEntry;
import java.time.Instant;
import java.util.List;

/**
 * How a deployment was used since its coordinator's start: of what came before, its totals know
 * nothing, so phases of then, which its ledger has as well, do not count either.
 *
 * @param mode the system that ran
 * @param nodes how many there are
 * @param capacityBytes of all of them
 * @param readBytes that clients have read, also past the nodes
 * @param ramBytes the part of it that was in RAM when it was asked for
 * @param seconds since the coordinator's start
 * @param phases of others that ended in this time
 * @param totals of all applications
 */
record BufferUse(
    BufferMode mode,
    int nodes,
    long capacityBytes,
    long readBytes,
    long ramBytes,
    double seconds,
    List<PhaseEntry> phases,
    Totals totals) {

  /**
   * The use that a report and a ledger show.
   *
   * @param ledger all that it has, also of earlier coordinators
   * @param now time of day of the report
   */
  static BufferUse of(DeploymentReport report, List<PhaseEntry> ledger, Instant now) {
    Instant start = now.minusMillis(report.uptimeMillis());
    var counters = report.nodes().stream().map(DeploymentReport.NodeReport::counters).toList();
    return new BufferUse(
        report.mode(),
        counters.size(),
        counters.stream().mapToLong(NodeCounters::capacityBytes).sum(),
        report.totals().servedBytes() + report.totals().pastBytes(),
        report.totals().hitBytes(),
        report.uptimeMillis() / 1e3,
        ledger.stream().filter(e -> e.began().plus(e.length()).isAfter(start)).toList(),
        report.totals());
  }

  /** All phases together. */
  double phaseSeconds() {
    return phases.stream().mapToDouble(e -> e.length().toMillis() / 1e3).sum();
  }

  /** The share of what was read that was not in RAM when it was asked for. */
  double missed() {
    return readBytes == 0 ? 0 : 1 - (double) ramBytes / readBytes;
  }

  /** The share of what was read that went past the nodes. */
  double past() {
    return readBytes == 0 ? 0 : (double) totals.pastBytes() / readBytes;
  }

  /** The bytes of the wave that runs and of the next one, by what tasks read on average. */
  long twoWavesBytes() {
    return totals.tasks() == 0 ? 0 : 2L * totals.largestWave() * (readBytes / totals.tasks());
  }
}
