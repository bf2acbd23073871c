package io.eley.coordinator.live;

import io.eley.bb.api.wire.DeploymentReport;
import io.eley.coordinator.drivers.ReadTotals;
import io.eley.coordinator.live.LiveDocument.Point;
import io.eley.prefetcher.control.PhaseEntry;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What the coordinator knows at one moment, copied on the agent's thread, so that documents can be
 * made of it on any other.
 *
 * @param at milliseconds since 1970
 * @param report of the deployment
 * @param held whether prefetching is held
 * @param points of traffic, the oldest first
 * @param capacity of the origin in bytes a second, as it was learned; 0 when it is not known
 * @param past the last phases
 * @param hpc each HPC application's sums
 * @param reads what the tasks of each live Spark application have told
 * @param originNanosPerByte what a byte costs at the origin
 */
record LiveFacts(
    long at,
    DeploymentReport report,
    boolean held,
    List<Point> points,
    double capacity,
    List<PhaseEntry> past,
    List<PhaseHistory.Figures> hpc,
    Map<String, ReadTotals> reads,
    OptionalDouble originNanosPerByte) {
  LiveFacts {
    points = List.copyOf(points);
    past = List.copyOf(past);
    hpc = List.copyOf(hpc);
    reads = Map.copyOf(reads);
  }
}
