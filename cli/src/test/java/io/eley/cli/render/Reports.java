package io.eley.cli.render;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.DeploymentReport.ApplicationReport;
import io.eley.bb.api.wire.DeploymentReport.Control;
import io.eley.bb.api.wire.DeploymentReport.ForecastReport;
import io.eley.bb.api.wire.DeploymentReport.NodeReport;
import io.eley.bb.api.wire.DeploymentReport.PhaseReport;
import io.eley.bb.api.wire.DeploymentReport.SourceReport;
import io.eley.bb.api.wire.NodeCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Reports of a coordinator, put together piece by piece. */
final class Reports {
  BufferMode mode = BufferMode.FULL_DELAY;
  long uptimeMillis = 59_000;
  String permitReason = "no phase";
  String operator = "full-delay";
  DeploymentReport.Totals totals = DeploymentReport.Totals.NONE;
  long capacityBytes = 512L << 20;
  final List<PhaseReport> phases = new ArrayList<>();
  final List<SourceReport> sources = new ArrayList<>();
  final List<ForecastReport> forecasts = new ArrayList<>();
  final List<String> models = new ArrayList<>();
  final List<NodeReport> nodes = new ArrayList<>();
  final List<ApplicationReport> applications = new ArrayList<>();

  Reports phase(String application, String source, int percent, long ageMillis) {
    phases.add(new PhaseReport(application, source, percent, ageMillis));
    return this;
  }

  Reports source(String name, String state, long ageMillis, String message) {
    sources.add(new SourceReport(name, state, ageMillis, message));
    return this;
  }

  Reports node(String id, boolean open, long served, long hits, Map<ReadCause, Long> origin) {
    var counters =
        new NodeCounters(capacityBytes, 100L << 20, 7, served, hits, origin, 0, 3, 1, open, 2);
    nodes.add(new NodeReport(id, "10.0.0.1", 7001, 5, counters));
    return this;
  }

  Reports node(String id, boolean open) {
    return node(id, open, 0, 0, Map.of());
  }

  DeploymentReport get() {
    return new DeploymentReport(
        mode,
        "file:///mnt/pfs",
        12,
        uptimeMillis,
        permitReason,
        phases,
        new Control(operator, sources, forecasts, models),
        nodes,
        applications,
        totals.servedBytes() > 0 ? totals : ofNodesLives());
  }

  /** Those of a coordinator that is as old as its nodes. */
  private DeploymentReport.Totals ofNodesLives() {
    return totals.withServed(sum(NodeCounters::servedBytes), sum(NodeCounters::hitBytes));
  }

  private long sum(ToLongFunction<NodeCounters> figure) {
    return nodes.stream().map(NodeReport::counters).mapToLong(figure).sum();
  }
}
