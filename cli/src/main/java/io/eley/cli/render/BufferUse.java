package io.eley.cli.render;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.DeploymentReport.Totals;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.prefetcher.control.PhaseEntry;
import java.util.List;

/**
 * How a deployment was used so far.
 *
 * @param mode the system that ran
 * @param nodes how many there are
 * @param capacityBytes of all of them
 * @param readBytes that clients have read, also past the nodes
 * @param ramBytes the part of it that was in RAM when it was asked for
 * @param seconds since the coordinator's start
 * @param phaseSeconds of others' phases together
 * @param totals of all applications
 */
record BufferUse(
    BufferMode mode,
    int nodes,
    long capacityBytes,
    long readBytes,
    long ramBytes,
    double seconds,
    double phaseSeconds,
    Totals totals) {

  static BufferUse of(DeploymentReport report, List<PhaseEntry> ledger) {
    var counters = report.nodes().stream().map(DeploymentReport.NodeReport::counters).toList();
    return new BufferUse(
        report.mode(),
        counters.size(),
        counters.stream().mapToLong(NodeCounters::capacityBytes).sum(),
        counters.stream().mapToLong(NodeCounters::servedBytes).sum() + report.totals().pastBytes(),
        counters.stream().mapToLong(NodeCounters::hitBytes).sum(),
        report.uptimeMillis() / 1e3,
        ledger.stream().mapToDouble(e -> e.length().toMillis() / 1e3).sum(),
        report.totals());
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
