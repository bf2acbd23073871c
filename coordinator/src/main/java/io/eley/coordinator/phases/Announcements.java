package io.eley.coordinator.phases;

import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.PhaseMessage.BeginPhase;
import io.eley.bb.api.wire.PhaseMessage.PhaseHeld;
import io.eley.controller.loop.ControlLoop;
import io.eley.coordinator.agent.Agent;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Takes announcements of applications, over either endpoint. Any thread may call; the work is done
 * on the agent's thread.
 */
public final class Announcements implements HttpAnnouncements.Phases {
  private final Agent agent;
  private final ControlLoop control;
  private final Supplier<DeploymentReport> report;

  /**
   * Takes announcements for a loop.
   *
   * @param report of the deployment, asked on the agent's thread
   */
  public Announcements(Agent agent, ControlLoop control, Supplier<DeploymentReport> report) {
    this.agent = agent;
    this.control = control;
    this.report = report;
  }

  /**
   * Begins a phase.
   *
   * @param answer takes, once, how many nodes have confirmed; on the agent's thread, must not block
   */
  public void begin(BeginPhase m, Consumer<PhaseHeld> answer) {
    long arrivedAt = agent.now();
    agent.execute(
        () ->
            control.begin(
                m.application(),
                m.lease(),
                held -> {
                  long micros = TimeUnit.NANOSECONDS.toMicros(agent.now() - arrivedAt);
                  answer.accept(
                      new PhaseHeld(held.nodes(), held.confirmed(), held.held() ? micros : 0));
                }));
  }

  @Override
  public CompletableFuture<PhaseHeld> begin(BeginPhase phase) {
    var held = new CompletableFuture<PhaseHeld>();
    begin(phase, held::complete);
    return held;
  }

  /** Ends a phase; returns whether it was open. */
  @Override
  public CompletableFuture<Boolean> end(String application) {
    return CompletableFuture.supplyAsync(() -> control.end(application), agent::execute);
  }

  @Override
  public CompletableFuture<DeploymentReport> report() {
    return CompletableFuture.supplyAsync(report, agent::execute);
  }
}
