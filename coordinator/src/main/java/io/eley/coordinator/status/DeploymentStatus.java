package io.eley.coordinator.status;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.DeploymentReport.ForecastReport;
import io.eley.bb.api.wire.DeploymentReport.PhaseReport;
import io.eley.bb.api.wire.DeploymentReport.SourceReport;
import io.eley.controller.loop.ControlLoop;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.SourceHealth;
import io.eley.controller.predict.Forecast;
import io.eley.controller.predict.PhasePredictor;
import io.eley.coordinator.agent.Agent;
import io.eley.coordinator.drivers.Drivers;
import io.eley.coordinator.members.Fallbacks;
import io.eley.coordinator.members.Members;
import io.eley.coordinator.metadata.MetadataCache;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** The whole deployment in one report. On the agent's thread. */
public final class DeploymentStatus {
  private final Agent agent;
  private final Members members;
  private final Drivers drivers;
  private final ControlLoop control;
  private final Fallbacks fallbacks;
  private final MetadataCache metadata;
  private final long startedAt;

  /** A status of a deployment that starts now. */
  public DeploymentStatus(
      Agent agent,
      Members members,
      Drivers drivers,
      ControlLoop control,
      Fallbacks fallbacks,
      MetadataCache metadata) {
    this.metadata = metadata;
    this.fallbacks = fallbacks;
    this.agent = agent;
    this.members = members;
    this.drivers = drivers;
    this.control = control;
    this.startedAt = agent.now();
  }

  /** The report of this moment. */
  public DeploymentReport report() {
    long now = agent.now();
    var view = members.view();
    return new DeploymentReport(
        view.view().mode(),
        view.originAddress(),
        view.view().epoch(),
        TimeUnit.NANOSECONDS.toMillis(now - startedAt),
        control.decision().reason(),
        control.openPhases().stream().map(e -> phase(e, now)).toList(),
        signals(now),
        members.report(now),
        drivers.report(),
        drivers
            .totals()
            .report(
                fallbacks.bytes(ReadCause.FALLBACK) + fallbacks.bytes(ReadCause.DIRECT),
                fallbacks.bytes(ReadCause.WRITE))
            .withServed(members.served().served(), members.served().hits()));
  }

  private DeploymentReport.Control signals(long now) {
    return new DeploymentReport.Control(
        control.decision().operator(),
        control.health().stream().map(DeploymentStatus::source).toList(),
        control.forecasts().stream().map(f -> forecast(f, now)).toList(),
        models());
  }

  private List<String> models() {
    var lines = new ArrayList<>(control.describeModels());
    lines.add("prediction: " + outcomes(control.scores()));
    lines.addAll(control.describeNeighbours());
    fallbacks.describe(agent.now()).ifPresent(lines::add);
    metadata.describe().ifPresent(lines::add);
    return lines;
  }

  /** How forecasts turned out; what has not happened is not said. */
  private static String outcomes(PhasePredictor.Scores scores) {
    int all = scores.hits() + scores.early() + scores.absent();
    if (all == 0) {
      return "no phase was foreseen yet";
    }
    return String.format(Locale.ROOT, "of %d foreseen %d came as expected", all, scores.hits())
        + (scores.early() == 0 ? "" : ", " + scores.early() + " too early")
        + (scores.absent() == 0 ? "" : ", " + scores.absent() + " not at all");
  }

  private static PhaseReport phase(Evidence e, long now) {
    return new PhaseReport(
        e.application(), e.source(), percent(e.confidence()), millis(now - e.since()));
  }

  private static SourceReport source(SourceHealth h) {
    return new SourceReport(
        h.source(), h.state().name().toLowerCase(Locale.ROOT), h.age().toMillis(), h.message());
  }

  private static ForecastReport forecast(Forecast f, long now) {
    return new ForecastReport(
        f.application(), millis(f.onset() - now), millis(f.lengthNanos()), percent(f.confidence()));
  }

  private static int percent(double part) {
    return (int) Math.round(100 * part);
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }
}
